// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/document_parts.h"

namespace zarr {
namespace {

/// Parses the v2 document from which the array was parsed. Returns nullopt if there is none.
std::optional<ArrayMetadata> ParseBefore(const JsonNode& document) {
  if (document.IsNull()) return std::nullopt;
  return ParseArrayV2(document, std::nullopt);
}

/// Returns the data type with the byte order of an explicit "bytes" codec.
DataType GetStoredType(const ArrayMetadata& array) {
  DataType type = array.data_type;
  for (const CodecSpec& spec : array.codecs) {
    const auto endian = spec.name == "bytes" ? spec.configuration.Find("endian") : std::nullopt;
    if (endian && endian->IsString()) type.endian = endian->AsString() == "big" ? Endian::kBig : Endian::kLittle;
  }
  return type;
}

/// Adds the filter that Python objects need.
void AddObjectCodec(const ArrayMetadata& array, std::vector<CodecSpec>* codecs) {
  if (!array.data_type.variable()) return;
  const bool has = std::any_of(codecs->begin(), codecs->end(), [](const CodecSpec& spec) {
    const CodecName* known = FindCodecName(spec.name);
    return known != nullptr && known->stage == CodecStage::kArrayToBytes;
  });
  if (has) return;
  const char* name = array.data_type.kind == DataType::Kind::kString ? "numcodecs.vlen-utf8" : "numcodecs.vlen-bytes";
  codecs->insert(codecs->begin(), {name, JsonNode::MakeObject({})});
}

JsonMembers MakeV2CodecMembers(const ArrayMetadata& array) {
  std::vector<CodecSpec> codecs = GetCodecsBehindOrder(array);
  AddObjectCodec(array, &codecs);
  std::vector<JsonNode> filters;
  for (const CodecSpec& spec : codecs) filters.push_back(ConvertCodecToV2(spec));
  JsonNode compressor;
  const CodecName* last = codecs.empty() ? nullptr : FindCodecName(codecs.back().name);
  // A codec that only the program knows is likely to be a compressor.
  if (!codecs.empty() && (last == nullptr || last->is_compressor)) {
    compressor = filters.back();
    filters.pop_back();
  }
  return {{"order", JsonNode::MakeString(IsOrderF(array) ? "F" : "C")},
          {"filters", filters.empty() ? JsonNode() : JsonNode::MakeArray(filters)},
          {"compressor", compressor}};
}

JsonNode MakeDataType(const ArrayMetadata& array, const std::optional<ArrayMetadata>& before) {
  const DataType type = GetStoredType(array);
  if (before && before->data_type == type && before->data_type.endian == type.endian)
    return before->document.At("dtype");
  return RunAtMember(array, "/dtype", [&] { return MakeDataTypeV2(type); });
}

JsonNode MakeV2FillValue(const ArrayMetadata& array, const std::optional<ArrayMetadata>& before) {
  if (before && before->data_type == array.data_type && before->fill_value == array.fill_value) {
    return before->document.Find("fill_value").value_or(JsonNode());
  }
  return RunAtMember(array, "/fill_value", [&] { return MakeFillValueV2(array.fill_value, GetStoredType(array)); });
}

char GetSeparator(const ArrayMetadata& array) {
  const ChunkKeyEncoding& keys = array.chunk_key_encoding;
  const bool v2 = keys.kind == ChunkKeyEncoding::Kind::kV2 || keys.kind == ChunkKeyEncoding::Kind::kV1;
  if (!v2) FailUnsupported(array, "/chunk_key_encoding", "v2 has no chunk keys other than its own");
  return keys.separator;
}

}  // namespace

JsonNode MakeAttributesV2(const ArrayMetadata& array) {
  JsonNode attributes = MakeAttributesObject(array.attributes);
  const auto& names = array.dimension_names;
  const bool named = std::any_of(names.begin(), names.end(), [](const auto& name) { return name.has_value(); });
  if (!named && !array.shape.empty()) return attributes;
  std::vector<JsonNode> items;
  for (const auto& name : names) items.push_back(name ? JsonNode::MakeString(*name) : JsonNode());
  return CopyWithMembers(attributes, {{std::string(kXarrayDimensions), JsonNode::MakeArray(items)}});
}

std::vector<MetadataDocument> MakeDocumentsV2(const ArrayMetadata& array) {
  const JsonNode document = GetOwnDocument(array);
  const std::optional<ArrayMetadata> before = ParseBefore(document);
  JsonMembers members = {{"zarr_format", JsonNode::MakeInteger(2)},
                         {"shape", MakeShapeJson(array.shape)},
                         {"chunks", MakeRegularChunksJson(array)},
                         {"dtype", MakeDataType(array, before)},
                         {"fill_value", MakeV2FillValue(array, before)}};
  if (!before || !AreSameCodecs(before->codecs, array.codecs)) {
    const JsonMembers codecs = RunAtMember(array, "/filters", [&] { return MakeV2CodecMembers(array); });
    members.insert(members.end(), codecs.begin(), codecs.end());
  }
  const char separator = GetSeparator(array);
  if (separator != '.' || (!document.IsNull() && document.Has("dimension_separator"))) {
    members.emplace_back("dimension_separator", JsonNode::MakeString(std::string_view(&separator, 1)));
  }
  std::vector<MetadataDocument> documents = {{std::string(kV2Array), CopyWithMembers(document, members)}};
  const JsonNode attributes = MakeAttributesV2(array);
  if (attributes.size() > 0) documents.push_back({std::string(kV2Attributes), attributes});
  return documents;
}

}  // namespace zarr
