#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"

/// How codecs are called in v3, and how by numcodecs, whose names v1 and v2 use.
namespace zarr {

enum class CodecStage { kArrayToArray, kArrayToBytes, kBytesToBytes };

/// What metadata have to know of a codec.
struct CodecName {
  std::string_view id;     ///< numcodecs' name; empty if it has no such codec.
  std::string_view name;   ///< The name in v3; empty if there is none that others read.
  std::string_view alias;  ///< A further name in v3 that is read; may be empty.
  CodecStage stage;
  bool is_compressor = false;  ///< Stands as v2's `compressor`, rather than as the last of its `filters`.
};

/// By any of the names, with "numcodecs." before numcodecs' own; nullptr if it is not known.
const CodecName* FindCodecName(std::string_view name);

/// The codec as v3 names it. `element` is the type that it is given, or whose bytes those are that it is given. A codec
/// that is not known is left as it is. Throws Error(unsupported) for one that v3 has no name for.
CodecSpec CodecForV3(const CodecSpec& spec, const DataType& element);
/// The codec as v1 and v2 write it: an object with an "id". Throws Error(unsupported) for one that numcodecs lacks.
JsonNode CodecForV2(const CodecSpec& spec);
/// The type of the elements behind an array-to-array codec.
DataType EncodedType(const CodecSpec& spec, const DataType& element);

/// A list of codecs for v3: their names there, shards within, and the array-to-bytes codec written out.
std::vector<CodecSpec> CodecsForV3(const std::vector<CodecSpec>& codecs, const DataType& type);
/// As it stands in v3's metadata.
JsonNode CodecListToJson(const std::vector<CodecSpec>& codecs);

/// The byte order in which v1 and v2 say that elements are stored. Nothing where order does not matter. Throws
/// Error(unsupported) for fields of different orders.
std::optional<Endian> StoredEndian(const DataType& type);

}  // namespace zarr
