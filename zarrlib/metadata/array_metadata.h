#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "zarrlib/base/shape.h"
#include "zarrlib/grid/chunk_grid.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/chunk_key_encoding.h"
#include "zarrlib/metadata/data_type.h"
#include "zarrlib/metadata/fill_value.h"

namespace zarr {

/// The on-disk formats. All are read into the same model; nothing but the parsers asks which one it was.
enum class ZarrFormat {
  kV0 = 0,  ///< `__zmeta__`, before 1.0.
  kV1 = 1,
  kV2 = 2,
  kV3 = 3,
};

/// A codec as metadata name it; what it means is for the codec registry.
struct CodecSpec {
  std::string name;        ///< The v3 name; that of a v1 or v2 compressor or filter is "numcodecs.<id>".
  JsonNode configuration;  ///< An object; for v1 and v2 with numcodecs' member names.
};

/// Options of reading metadata.
struct MetadataOptions {
  /// zarr 1.x declares order F, but stores what is not blosc in C order. True takes the declaration literally.
  bool v1_order_literal = false;
};

/// An array's metadata, in v3's terms whatever the format.
struct ArrayMetadata {
  ZarrFormat zarr_format = ZarrFormat::kV3;
  Shape shape;
  DataType data_type;
  ChunkGrid chunk_grid;
  ChunkKeyEncoding chunk_key_encoding;
  FillValue fill_value;
  /// As declared. For v1 and v2: transpose for order F, filters, compressor; the "bytes" codec in between is implied.
  std::vector<CodecSpec> codecs;
  bool implicit_bytes = false;  ///< A missing array-to-bytes codec is "bytes" (v1, v2, and an empty v3 list).
  JsonNode attributes;          ///< An object, or null.
  std::vector<std::optional<std::string>> dimension_names;  ///< Empty, or one per dimension.
  std::vector<std::string> warnings;                        ///< What was tolerated.
  JsonNode document;                                        ///< What was parsed.

  /// Checks what no single member can: ranks that agree. Throws Error at `document`.
  void Validate() const;
};

enum class NodeKind { kGroup, kArray };

/// A group's metadata.
struct GroupMetadata {
  ZarrFormat zarr_format = ZarrFormat::kV3;
  JsonNode attributes;                   ///< An object, or null.
  std::optional<JsonNode> consolidated;  ///< v3's `consolidated_metadata.metadata`.
};

/// A metadata document of a node: its name, such as ".zarray", and its content.
struct MetadataDocument {
  std::string name;
  JsonNode content;
};

/// The documents of an array, in the format that `array.zarr_format` says (v1, v2 or v3), in the order in which they
/// are to be written. Members of `array.document` that this library does not know are kept where it is of the same
/// format. `codecs` may have their v1 and v2 names ("numcodecs.blosc", with numcodecs' member names) in all formats:
/// what v3 has under a name of its own gets that. The name of the data type is made from its kind.
/// Throws Error(unsupported) for what the format has no way to say.
std::vector<MetadataDocument> DocumentsOf(const ArrayMetadata& array);
/// The documents of a group: of v2 `.zgroup` and, unless there are no attributes, `.zattrs`.
std::vector<MetadataDocument> DocumentsOf(const GroupMetadata& group);
/// The same array, the same chunks byte for byte, in the terms of another format: v1 to v2, v2 to v3 (with the `v2`
/// chunk key encoding), v1 to v3. Throws Error(unsupported), at the member, for what has no equal there.
ArrayMetadata ConvertTo(ZarrFormat format, const ArrayMetadata& array);
/// The codec `sharding_indexed` with the given inner chunks and codecs, its index at the end, with a checksum.
CodecSpec ShardingSpec(const Shape& inner_chunk_shape, const std::vector<CodecSpec>& codecs);

// v1_json
/// `meta` of v1, or `__zmeta__` of the releases before it; `attributes` is what `attrs` or `__zattr__` hold, if
/// anything.
ArrayMetadata ArrayFromV1(const JsonNode& meta, const std::optional<JsonNode>& attributes, ZarrFormat format,
                          const MetadataOptions& options = {});
/// Whether a document called `meta`, a common name, is that of a v1 array.
bool LooksLikeV1(const JsonNode& meta);

// v2_json
/// `.zarray`, with the content of `.zattrs` if there is one.
ArrayMetadata ArrayFromV2(const JsonNode& zarray, const std::optional<JsonNode>& zattrs);
GroupMetadata GroupFromV2(const JsonNode& zgroup, const std::optional<JsonNode>& zattrs);

// v3_json
/// "array" or "group". Throws Error for anything else, or another zarr_format.
std::string NodeTypeOfV3(const JsonNode& zarr_json);
/// A list of codecs, as `codecs` of an array or of a shard. Short-hand names are taken.
std::vector<CodecSpec> CodecsFromV3(const JsonNode& node);
ArrayMetadata ArrayFromV3(const JsonNode& zarr_json);
GroupMetadata GroupFromV3(const JsonNode& zarr_json);

}  // namespace zarr
