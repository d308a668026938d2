// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"

/// The names of codecs in v3 and in numcodecs, whose names v1 and v2 use; and their configurations.
namespace zarr {

/// Prefix of names such as "numcodecs.<id>", by which v3 and the model refer to a codec of numcodecs.
inline constexpr std::string_view kNumcodecsPrefix = "numcodecs.";
inline constexpr std::string_view kShardingName = "sharding_indexed";

enum class CodecStage { kArrayToArray, kArrayToBytes, kBytesToBytes };

/// The properties of a codec that metadata need.
struct CodecName {
  std::string_view id;     ///< The name in numcodecs; empty if numcodecs does not have the codec.
  std::string_view name;   ///< The name in v3; empty if there is none that other libraries read.
  std::string_view alias;  ///< Another name in v3 that is accepted when reading; may be empty.
  CodecStage stage;
  bool is_compressor = false;  ///< True if it belongs in v2's `compressor`, and not at the end of its `filters`.
};

/// Finds a codec by any of its names; names of numcodecs have the prefix "numcodecs.". Returns nullptr if it is
/// unknown.
const CodecName* FindCodecName(std::string_view name);
/// Returns true if `name` is one of the codec's names.
bool HasName(const CodecName& codec, std::string_view name);

/// Returns true if a codec has its name from numcodecs. The names and types of its members are then those of numcodecs
/// instead of the specification.
inline bool IsNumcodecs(const CodecSpec& spec) {
  return spec.name.starts_with(kNumcodecsPrefix);
}
inline std::string MakeNumcodecsName(std::string_view id) {
  return std::string(kNumcodecsPrefix).append(id);
}
/// Returns the id in "numcodecs.<id>", and other names unchanged.
inline std::string_view RemoveNumcodecsPrefix(std::string_view name) {
  return name.starts_with(kNumcodecsPrefix) ? name.substr(kNumcodecsPrefix.size()) : name;
}

/// Returns the member `name` of a codec's configuration, or nullopt if it is absent or null. Throws Error(corrupt) if
/// the configuration is neither an object nor null.
std::optional<JsonNode> FindOption(const CodecSpec& spec, std::string_view name);

/// Returns blosc's "shuffle": 0 for none, 1 for bytes, 2 for bits, -1 for a choice by the size of the elements. Throws
/// Error(corrupt) for another value.
std::int64_t GetBloscShuffle(const CodecSpec& spec);

/// Converts a codec to its name and configuration in v3. `element` is the type of the elements that the codec encodes,
/// or of the elements in the bytes that it encodes. An unknown codec stays unchanged. Throws Error(unsupported) for a
/// codec without a name in v3.
CodecSpec ConvertCodecToV3(const CodecSpec& spec, const DataType& element);
/// Converts a codec to the form of v1 and v2, an object with an "id". Throws Error(unsupported) for a codec that
/// numcodecs does not have.
JsonNode ConvertCodecToV2(const CodecSpec& spec);
/// Returns the type of the elements that an array-to-array codec produces.
DataType GetEncodedType(const CodecSpec& spec, const DataType& element);

/// Converts a list of codecs to v3: their names, including those inside shards, and a missing array-to-bytes codec.
std::vector<CodecSpec> ConvertCodecsToV3(const std::vector<CodecSpec>& codecs, const DataType& type);
/// Makes the list of codecs in the form of v3's metadata.
JsonNode MakeCodecListJson(const std::vector<CodecSpec>& codecs);

/// Returns the byte order in which v1 and v2 store elements of the type, or nullopt if order does not matter. Throws
/// Error(unsupported) for fields of different orders.
std::optional<Endian> GetStoredEndian(const DataType& type);

}  // namespace zarr
