// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"

/// The names of codecs in v3, and in numcodecs, whose names v1 and v2 use; and their configurations.
namespace zarr {

/// "numcodecs.<id>" is a name that v3 and the model have for a codec of numcodecs.
inline constexpr std::string_view kNumcodecsPrefix = "numcodecs.";
inline constexpr std::string_view kShardingName = "sharding_indexed";

enum class CodecStage { kArrayToArray, kArrayToBytes, kBytesToBytes };

/// The facts about a codec that metadata need.
struct CodecName {
  std::string_view id;     ///< The name in numcodecs; empty if it has no such codec.
  std::string_view name;   ///< The name in v3; empty if there is none that other libraries read.
  std::string_view alias;  ///< Another name in v3 that is read; may be empty.
  CodecStage stage;
  bool is_compressor = false;  ///< Belongs into v2's `compressor`, and not at the end of its `filters`.
};

/// Finds a codec by any of its names, those of numcodecs with "numcodecs." before them; nullptr if it is unknown.
const CodecName* FindCodecName(std::string_view name);
/// Whether that is one of the codec's names.
bool HasName(const CodecName& codec, std::string_view name);

/// Whether a codec has its name from numcodecs. The names and types of its members then are those of numcodecs, and not
/// those of the specification.
inline bool IsNumcodecs(const CodecSpec& spec) {
  return spec.name.starts_with(kNumcodecsPrefix);
}
/// Makes "numcodecs.<id>".
inline std::string MakeNumcodecsName(std::string_view id) {
  return std::string(kNumcodecsPrefix).append(id);
}
/// Returns the id in "numcodecs.<id>", and other names as they are.
inline std::string_view RemoveNumcodecsPrefix(std::string_view name) {
  return name.starts_with(kNumcodecsPrefix) ? name.substr(kNumcodecsPrefix.size()) : name;
}

/// Returns the member `name` of a codec's configuration; nothing if it is absent or null. Throws Error(corrupt) if the
/// configuration is neither an object nor null.
std::optional<JsonNode> FindOption(const CodecSpec& spec, std::string_view name);

/// Converts a codec to its name and configuration in v3. `element` is the type of the elements, or of the elements in
/// the bytes, that the codec encodes. An unknown codec stays as it is. Throws Error(unsupported) for a codec that has
/// no name in v3.
CodecSpec ConvertCodecToV3(const CodecSpec& spec, const DataType& element);
/// Converts a codec to the form of v1 and v2, an object with an "id". Throws Error(unsupported) for a codec that
/// numcodecs does not have.
JsonNode ConvertCodecToV2(const CodecSpec& spec);
/// The type of the elements that an array-to-array codec gives.
DataType GetEncodedType(const CodecSpec& spec, const DataType& element);

/// Converts a list of codecs to v3: their names, those inside shards too, and a missing array-to-bytes codec.
std::vector<CodecSpec> ConvertCodecsToV3(const std::vector<CodecSpec>& codecs, const DataType& type);
/// Makes the list of codecs in the form of v3's metadata.
JsonNode MakeCodecListJson(const std::vector<CodecSpec>& codecs);

/// The byte order in which v1 and v2 store elements of the type; nothing where order does not matter. Throws
/// Error(unsupported) for fields of different orders.
std::optional<Endian> GetStoredEndian(const DataType& type);

}  // namespace zarr
