// SPDX-License-Identifier: MIT
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

/// The on-disk formats. All are parsed into one model; only parsers and writers depend on the format.
enum class ZarrFormat {
  kV0 = 0,  ///< `__zmeta__`, before 1.0.
  kV1 = 1,
  kV2 = 2,
  kV3 = 3,
  kV3Draft = 4,  ///< The draft of v3 from 2020 to 2022, which is read-only.
};

/// Returns the name of a version, such as "v2".
std::string GetFormatName(ZarrFormat format);

/// Returns the name of the document that makes a node an array.
std::string_view GetArrayDocumentName(ZarrFormat format);

/// A codec as named in the metadata. The codec registry gives it a meaning.
struct CodecSpec {
  std::string name;        ///< The v3 name; for a compressor or filter of v1 and v2, "numcodecs.<id>".
  JsonNode configuration;  ///< An object; for v1 and v2 its members have the names used by numcodecs.
};

struct MetadataOptions {
  /// zarr 1.x declares order F, but stores only blosc chunks in that order and all others in C order. True interprets
  /// the declaration literally.
  bool v1_order_literal = false;
};

/// The metadata of an array in the terms of v3, whatever its format.
struct ArrayMetadata {
  ZarrFormat zarr_format = ZarrFormat::kV3;
  Shape shape;
  DataType data_type;
  ChunkGrid chunk_grid;
  ChunkKeyEncoding chunk_key_encoding;
  /// The folder with the chunks of all arrays, each in a folder of its path; "" if chunks are next to the documents.
  std::string chunk_root;
  /// The reason why the array is read-only; "" if it can be changed.
  std::string read_only;
  FillValue fill_value;
  /// In the declared order. For v1 and v2: the transpose for order F, the filters, and the compressor; the "bytes"
  /// codec between them is implied.
  std::vector<CodecSpec> codecs;
  bool implicit_bytes =
      false;            ///< True if a missing array-to-bytes codec means "bytes" (in v1, v2, and an empty list of v3).
  JsonNode attributes;  ///< An object, or null.
  std::vector<std::optional<std::string>> dimension_names;  ///< Empty, or one per dimension.
  std::vector<std::string> warnings;                        ///< The tolerated mistakes.
  JsonNode document;                                        ///< The parsed document.

  /// Checks that the ranks of all members agree. Throws Error at `document`.
  void Validate() const;
};

enum class NodeKind { kGroup, kArray };

struct GroupMetadata {
  ZarrFormat zarr_format = ZarrFormat::kV3;
  JsonNode attributes;                     ///< An object, or null.
  std::optional<JsonNode> consolidated;    ///< The `consolidated_metadata.metadata` of v3.
  std::vector<std::string> warnings = {};  ///< The tolerated mistakes.
};

/// A metadata document of a node: its name, such as ".zarray", and its content.
struct MetadataDocument {
  std::string name;
  JsonNode content;
};

/// Makes the documents of an array in the format `array.zarr_format` (v1, v2 or v3), in the order in which they must be
/// written. Unknown members of `array.document` are kept if it has the same format.
///
/// `codecs` may have their v1 and v2 names ("numcodecs.blosc", with the member names of numcodecs) in all formats;
/// codecs with another name in v3 get that name. The name of the data type is made from its kind. Throws
/// Error(unsupported) for metadata that the format cannot express.
std::vector<MetadataDocument> MakeDocuments(const ArrayMetadata& array);
/// Makes the documents of a group; for v2, `.zgroup` and, if there are attributes, `.zattrs`.
std::vector<MetadataDocument> MakeDocuments(const GroupMetadata& group);
/// Converts an array to another format. Throws Error(unsupported) at a member without an equivalent there.
///
/// v1 to v2, v2 to v3 (with the `v2` chunk key encoding) and v1 to v3 describe the same stored chunks. From the draft
/// of v3 to v3, the chunks get other keys.
ArrayMetadata ConvertTo(ZarrFormat format, const ArrayMetadata& array);
/// Makes the codec `sharding_indexed` with these inner chunks and codecs, and the index at the end of the shard.
CodecSpec MakeShardingSpec(const Shape& inner_chunk_shape, const std::vector<CodecSpec>& codecs,
                           bool index_has_checksum = true);

// v1_reader
/// Parses `meta` of v1, or `__zmeta__` of earlier releases. `attributes` is the content of `attrs` or `__zattr__`, if
/// any.
ArrayMetadata ParseArrayV1(const JsonNode& meta, const std::optional<JsonNode>& attributes, ZarrFormat format,
                           const MetadataOptions& options = {});
/// Returns true if a document called `meta`, which is a common name, belongs to a v1 array.
bool LooksLikeV1(const JsonNode& meta);

// v2_reader
/// Parses `.zarray`, with the content of `.zattrs` if any.
ArrayMetadata ParseArrayV2(const JsonNode& document, const std::optional<JsonNode>& zattrs);
GroupMetadata ParseGroupV2(const JsonNode& zgroup, const std::optional<JsonNode>& zattrs);

// v3_reader
/// Returns "array" or "group". Throws Error for any other value, and for another zarr_format.
std::string GetNodeTypeV3(const JsonNode& zarr_json);
/// Parses the `codecs` of an array or of a shard. Short-hand names are accepted.
std::vector<CodecSpec> ParseCodecsV3(const JsonNode& node);
ArrayMetadata ParseArrayV3(const JsonNode& document);
GroupMetadata ParseGroupV3(const JsonNode& zarr_json);

/// Parses the document that describes an array of `format`, without attributes stored in a separate document.
ArrayMetadata ParseArray(const JsonNode& document, ZarrFormat format, const MetadataOptions& options = {});

}  // namespace zarr
