#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/metadata/array_metadata.h"

/// What the writers of the formats share.
namespace zarr {

using JsonMembers = std::vector<std::pair<std::string, JsonNode>>;

/// The type as v1 and v2 write it (`dtype`), and as v3 does. Throw Error(unsupported), without a place, for types that
/// the format has no name for.
JsonNode DataTypeToV2(const DataType& type);
JsonNode DataTypeToV3(const DataType& type);

/// Null where it is undefined, but for v3, where it is zeros then. Throw Error(unsupported), without a place, for
/// values that the format cannot say.
JsonNode FillValueToV1(const FillValue& fill, const DataType& type);
JsonNode FillValueToV2(const FillValue& fill, const DataType& type);
JsonNode FillValueToV3(const FillValue& fill, const DataType& type);

JsonNode ShapeToJson(const Shape& shape);
/// v1's and v2's `chunks`. Throws Error(unsupported) for a grid that is not regular.
JsonNode RegularChunksToJson(const ArrayMetadata& array);

/// Whether codec number 0 is the transpose that stands for order F.
bool IsOrderF(const ArrayMetadata& array);
/// The codecs of v1 and v2: without that transpose, and without the implied "bytes" codec.
std::vector<CodecSpec> CodecsBehindOrder(const ArrayMetadata& array);
bool SameCodecs(const std::vector<CodecSpec>& a, const std::vector<CodecSpec>& b);

/// `document`, if it is an object, with `members` in place of those of the same name, or behind the others.
JsonNode WithMembers(const JsonNode& document, const JsonMembers& members);
/// What `array` was parsed from, if that was of the format that it is now of; else null.
JsonNode OwnDocument(const ArrayMetadata& array);

/// An object: `attributes`, or an empty one for null.
JsonNode AttributesObject(const JsonNode& attributes);

[[noreturn]] void FailUnsupported(const ArrayMetadata& array, std::string_view pointer, std::string message);

/// Runs `function`; its errors get their place in the metadata of `array`.
template <typename Function>
auto AtMember(const ArrayMetadata& array, std::string_view pointer, const Function& function) {
  try {
    return function();
  } catch (const Error& error) {
    if (!error.pointer().empty()) throw;
    throw Error(error.kind(), array.document.store(), array.document.key(), std::string(pointer), error.message());
  }
}

// v1_document, v2_document, v3_document
std::vector<MetadataDocument> DocumentsOfV1(const ArrayMetadata& array);
std::vector<MetadataDocument> DocumentsOfV2(const ArrayMetadata& array);
std::vector<MetadataDocument> DocumentsOfV3(const ArrayMetadata& array);

}  // namespace zarr
