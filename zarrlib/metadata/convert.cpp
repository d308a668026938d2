// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/document_parts.h"

namespace zarr {
namespace {

/// Returns the attributes without the names of the dimensions, for formats that have a member for them.
JsonNode CopyWithoutNames(const JsonNode& attributes) {
  if (!attributes.IsObject()) return attributes;
  JsonMembers members = attributes.GetMembers();
  std::erase_if(members, [](const auto& member) { return member.first == kXarrayDimensions; });
  return JsonNode::MakeObject(members, attributes);
}

/// zarr 1.x passes liblzma's filters to the encoder, whatever the container. All containers except the raw one store
/// them for the decoder, and numcodecs then refuses to decode with a list of filters.
CodecSpec ConvertLzmaFromV1(const CodecSpec& spec) {
  constexpr std::int64_t kRaw = 3;
  if (spec.name != "numcodecs.lzma" || !spec.configuration.IsObject()) return spec;
  const auto format = spec.configuration.Find("format");
  if (format && format->IsInteger() && format->AsInt64() == kRaw) return spec;
  return {spec.name, CopyWithMembers(spec.configuration, {{"filters", JsonNode()}})};
}

ArrayMetadata FromV1(const ArrayMetadata& array) {
  ArrayMetadata result = array;
  std::transform(array.codecs.begin(), array.codecs.end(), result.codecs.begin(), ConvertLzmaFromV1);
  return result;
}

ArrayMetadata ToV2(const ArrayMetadata& array) {
  ArrayMetadata result = FromV1(array);
  result.zarr_format = ZarrFormat::kV2;
  result.chunk_key_encoding = {ChunkKeyEncoding::Kind::kV2, '.'};
  return result;
}

/// The members of a document that errors point to.
struct Places {
  std::string_view type;
  std::string_view codecs;
};
constexpr Places kPlacesInV2{"/dtype", "/filters"};
constexpr Places kPlacesInDraft{"/data_type", "/compressor"};

/// Converts the type, `fill_value` and codecs of v2, or of the draft of v3, to the terms of v3. Errors point into the
/// old document.
ArrayMetadata ToV3(const ArrayMetadata& array, const Places& places) {
  ArrayMetadata result = array;
  result.zarr_format = ZarrFormat::kV3;
  result.chunk_key_encoding = {ChunkKeyEncoding::Kind::kV2, array.chunk_key_encoding.separator};
  RunAtMember(array, places.type, [&] { GetStoredEndian(array.data_type); });
  result.codecs = RunAtMember(array, places.codecs, [&] { return ConvertCodecsToV3(array.codecs, array.data_type); });
  result.implicit_bytes = false;
  result.data_type = RunAtMember(array, places.type, [&] { return DataType::FromV3(MakeDataTypeV3(array.data_type)); });
  RunAtMember(array, "/fill_value", [&] { return MakeFillValueV3(array.fill_value, result.data_type); });
  if (!array.dimension_names.empty()) result.attributes = CopyWithoutNames(array.attributes);
  return result;
}

/// GDAL adds a member to the configuration of lzma that numcodecs rejects. The stored chunks contain their filters.
CodecSpec ConvertLzmaFromDraft(const CodecSpec& spec) {
  if (spec.name != "numcodecs.lzma" || !spec.configuration.IsObject()) return spec;
  return {spec.name, CopyWithoutMember(spec.configuration, "delta")};
}

/// The chunks get v3's default keys, since they are copied to another store anyway.
ArrayMetadata FromDraft(const ArrayMetadata& array) {
  ArrayMetadata plain = array;
  std::transform(array.codecs.begin(), array.codecs.end(), plain.codecs.begin(), ConvertLzmaFromDraft);
  ArrayMetadata result = ToV3(plain, kPlacesInDraft);
  result.chunk_key_encoding = {};
  result.chunk_root.clear();
  result.read_only.clear();
  return result;
}

}  // namespace

ArrayMetadata ConvertTo(ZarrFormat format, const ArrayMetadata& array) {
  if (format == array.zarr_format) return array;
  const bool from_v1 = array.zarr_format == ZarrFormat::kV1;
  const bool from_v2 = array.zarr_format == ZarrFormat::kV2;
  if (format == ZarrFormat::kV2 && from_v1) return ToV2(array);
  if (format == ZarrFormat::kV3 && (from_v1 || from_v2)) return ToV3(from_v1 ? FromV1(array) : array, kPlacesInV2);
  if (format == ZarrFormat::kV3 && array.zarr_format == ZarrFormat::kV3Draft) return FromDraft(array);
  FailUnsupported(array, "", "metadata are converted from v1 to v2 or v3, and from v2 and the draft of v3 to v3 only");
}

}  // namespace zarr
