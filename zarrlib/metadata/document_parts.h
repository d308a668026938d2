// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/array_metadata.h"

/// Code shared by the writers of all formats.
namespace zarr {

/// Make the data type in the form of v1 and v2 (`dtype`), and of v3. Throw Error(unsupported), without a location, for
/// types without a name in the format.
JsonNode MakeDataTypeV2(const DataType& type);
JsonNode MakeDataTypeV3(const DataType& type);

/// Make the fill value in the form of each format. An undefined fill value becomes null, but zeros in v3. Throw
/// Error(unsupported), without a location, for values that the format cannot express.
JsonNode MakeFillValueV1(const FillValue& fill, const DataType& type);
JsonNode MakeFillValueV2(const FillValue& fill, const DataType& type);
JsonNode MakeFillValueV3(const FillValue& fill, const DataType& type);

/// Makes the v3 form of extension points: {"name": ..., "configuration": {...}}.
JsonNode MakeNamedConfiguration(std::string_view name, const JsonMembers& configuration);
JsonNode MakeShapeJson(const Shape& shape);
/// Makes the `chunks` of v1 and v2. Throws Error(unsupported) for a grid that is not regular.
JsonNode MakeRegularChunksJson(const ArrayMetadata& array);

/// Returns true if the first codec is the transpose that represents order F.
bool IsOrderF(const ArrayMetadata& array);
/// Returns the codecs of v1 and v2, without that transpose and without the implied "bytes" codec.
std::vector<CodecSpec> GetCodecsBehindOrder(const ArrayMetadata& array);
bool AreSameCodecs(const std::vector<CodecSpec>& a, const std::vector<CodecSpec>& b);

/// Copies `document`, if it is an object. Each of `members` replaces the member of the same name, or is appended.
JsonNode CopyWithMembers(const JsonNode& document, const JsonMembers& members);
/// Returns the document from which the array was parsed if it has the array's current format, otherwise null.
JsonNode GetOwnDocument(const ArrayMetadata& array);

/// Returns `attributes`, or an empty object if it is null.
JsonNode MakeAttributesObject(const JsonNode& attributes);

[[noreturn]] void FailUnsupported(const ArrayMetadata& array, std::string_view pointer, std::string message);

/// Runs `function`. Its errors get their location in the metadata of `array`.
template <typename Function>
auto RunAtMember(const ArrayMetadata& array, std::string_view pointer, const Function& function) {
  try {
    return function();
  } catch (const Error& error) {
    if (!error.pointer().empty()) throw;
    throw Error(error.kind(), array.document.store(), array.document.key(), std::string(pointer), error.message());
  }
}

// v1_writer, v2_writer, v3_writer
std::vector<MetadataDocument> MakeDocumentsV1(const ArrayMetadata& array);
std::vector<MetadataDocument> MakeDocumentsV2(const ArrayMetadata& array);
/// Makes the content of `.zattrs`: the attributes with the names of the dimensions, by xarray's convention, because v2
/// does not have a member for them. xarray cannot open a group with an array that lacks the attribute, so an array
/// without dimensions gets an empty list.
JsonNode MakeAttributesV2(const ArrayMetadata& array);
std::vector<MetadataDocument> MakeDocumentsV3(const ArrayMetadata& array);

}  // namespace zarr
