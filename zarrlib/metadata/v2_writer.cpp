#include <algorithm>

#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/document_parts.h"

namespace zarr {
namespace {

constexpr std::string_view kDimensions = "_ARRAY_DIMENSIONS";

/// The array as its document says, if it was parsed from one of v2.
std::optional<ArrayMetadata> Before(const JsonNode& document) {
  if (document.IsNull()) return std::nullopt;
  return ArrayFromV2(document, std::nullopt);
}

/// The type with the byte order that an explicit "bytes" codec says.
DataType StoredType(const ArrayMetadata& array) {
  DataType type = array.data_type;
  for (const CodecSpec& spec : array.codecs) {
    const auto endian = spec.name == "bytes" ? spec.configuration.Find("endian") : std::nullopt;
    if (endian && endian->IsString()) type.endian = endian->AsString() == "big" ? Endian::kBig : Endian::kLittle;
  }
  return type;
}

/// Python objects need a filter that says how they are stored.
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

JsonMembers CodecMembers(const ArrayMetadata& array) {
  std::vector<CodecSpec> codecs = CodecsBehindOrder(array);
  AddObjectCodec(array, &codecs);
  std::vector<JsonNode> filters;
  for (const CodecSpec& spec : codecs) filters.push_back(CodecForV2(spec));
  JsonNode compressor;
  const CodecName* last = codecs.empty() ? nullptr : FindCodecName(codecs.back().name);
  if (last != nullptr && last->is_compressor) {
    compressor = filters.back();
    filters.pop_back();
  }
  return {{"order", JsonNode::MakeString(IsOrderF(array) ? "F" : "C")},
          {"filters", filters.empty() ? JsonNode() : JsonNode::MakeArray(filters)},
          {"compressor", compressor}};
}

JsonNode DataTypeOf(const ArrayMetadata& array, const std::optional<ArrayMetadata>& before) {
  const DataType type = StoredType(array);
  if (before && before->data_type == type && before->data_type.endian == type.endian)
    return before->document.At("dtype");
  return AtMember(array, "/dtype", [&] { return DataTypeToV2(type); });
}

JsonNode FillValueOf(const ArrayMetadata& array, const std::optional<ArrayMetadata>& before) {
  if (before && before->data_type == array.data_type && before->fill_value == array.fill_value) {
    return before->document.Find("fill_value").value_or(JsonNode());
  }
  return AtMember(array, "/fill_value", [&] { return FillValueToV2(array.fill_value, StoredType(array)); });
}

char SeparatorOf(const ArrayMetadata& array) {
  const ChunkKeyEncoding& keys = array.chunk_key_encoding;
  const bool v2 = keys.kind == ChunkKeyEncoding::Kind::kV2 || keys.kind == ChunkKeyEncoding::Kind::kV1;
  if (!v2) FailUnsupported(array, "/chunk_key_encoding", "v2 has no chunk keys other than its own");
  return keys.separator;
}

/// The attributes with the names of the dimensions, which v2 has no place for: xarray's convention. xarray opens no
/// group with an array that lacks them, so one without dimensions has an empty list.
JsonNode AttributesOf(const ArrayMetadata& array) {
  const JsonNode attributes = AttributesObject(array.attributes);
  const auto& names = array.dimension_names;
  const bool named = std::any_of(names.begin(), names.end(), [](const auto& name) { return name.has_value(); });
  if (!named && !array.shape.empty()) return attributes;
  std::vector<JsonNode> items;
  for (const auto& name : names) items.push_back(name ? JsonNode::MakeString(*name) : JsonNode());
  return WithMembers(attributes, {{std::string(kDimensions), JsonNode::MakeArray(items)}});
}

}  // namespace

std::vector<MetadataDocument> DocumentsOfV2(const ArrayMetadata& array) {
  const JsonNode document = OwnDocument(array);
  const std::optional<ArrayMetadata> before = Before(document);
  JsonMembers members = {{"zarr_format", JsonNode::MakeInteger(2)},
                         {"shape", ShapeToJson(array.shape)},
                         {"chunks", RegularChunksToJson(array)},
                         {"dtype", DataTypeOf(array, before)},
                         {"fill_value", FillValueOf(array, before)}};
  if (!before || !SameCodecs(before->codecs, array.codecs)) {
    const JsonMembers codecs = AtMember(array, "/filters", [&] { return CodecMembers(array); });
    members.insert(members.end(), codecs.begin(), codecs.end());
  }
  const char separator = SeparatorOf(array);
  if (separator != '.' || (!document.IsNull() && document.Has("dimension_separator"))) {
    members.emplace_back("dimension_separator", JsonNode::MakeString(std::string_view(&separator, 1)));
  }
  std::vector<MetadataDocument> documents = {{".zarray", WithMembers(document, members)}};
  const JsonNode attributes = AttributesOf(array);
  if (attributes.size() > 0) documents.push_back({".zattrs", attributes});
  return documents;
}

}  // namespace zarr
