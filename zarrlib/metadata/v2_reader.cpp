// SPDX-License-Identifier: MIT
#include <algorithm>

#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/metadata_parts.h"
#include "zarrlib/metadata/near_valid.h"

namespace zarr {
namespace {

/// The filters that turn Python objects ("|O") into bytes, and the types of these objects.
struct ObjectCodec {
  std::string_view id;
  DataType::Kind kind;
};
constexpr ObjectCodec kObjectCodecs[] = {
    {"vlen-utf8", DataType::Kind::kString},
    {"vlen-bytes", DataType::Kind::kBytes},
    {"json2", DataType::Kind::kString},
    {"msgpack2", DataType::Kind::kString},
    {"categorize", DataType::Kind::kString},
    {"vlen-array", DataType::Kind::kString},
    {"fill_hdf_strings", DataType::Kind::kString},
};

std::vector<CodecSpec> ParseCodecsV2(const JsonNode& zarray, std::size_t rank) {
  std::vector<CodecSpec> codecs;
  if (const auto order = zarray.Find("order"); order && !order->IsNull()) {
    if (order->AsString() != "C" && order->AsString() != "F") order->FailExpected("\"C\" or \"F\"");
    if (order->AsString() == "F") codecs.push_back(ReverseAxes(*order, rank));
  }
  if (const auto filters = zarray.Find("filters"); filters && !filters->IsNull()) {
    if (!filters->IsArray()) filters->FailExpected("a list or null");
    for (const JsonNode& filter : filters->GetItems()) codecs.push_back(ParseNumcodecsForm(filter));
  }
  if (const auto compressor = zarray.Find("compressor"); compressor && !compressor->IsNull()) {
    codecs.push_back(ParseNumcodecsForm(*compressor));
  }
  return codecs;
}

ChunkKeyEncoding ParseKeysV2(const JsonNode& zarray) {
  ChunkKeyEncoding keys{ChunkKeyEncoding::Kind::kV2, '.'};
  const auto separator = zarray.Find("dimension_separator");
  if (!separator || separator->IsNull()) return keys;
  const std::string& text = separator->AsString();
  if (text != "." && text != "/") separator->FailExpected("\".\" or \"/\"");
  keys.separator = text[0];
  return keys;
}

void CheckV2Format(const JsonNode& document) {
  if (HasFormat(document, 2)) return;
  const JsonNode format = document.At("zarr_format");
  format.Fail(ErrorKind::kUnsupported, FormatExpectedGot("zarr_format 2", format.GetExcerpt()));
}

}  // namespace

CodecSpec ParseNumcodecsForm(const JsonNode& node) {
  if (!node.IsObject()) node.FailExpected("an object with an \"id\"");
  return {MakeNumcodecsName(node.At("id").AsString()), node};
}

void ResolveObjectType(const std::vector<CodecSpec>& codecs, DataType* type) {
  if (!type->name.starts_with("|O")) return;
  for (const CodecSpec& codec : codecs) {
    for (const ObjectCodec& object_codec : kObjectCodecs) {
      if (codec.name.substr(codec.name.find('.') + 1) == object_codec.id) type->kind = object_codec.kind;
    }
  }
}

std::vector<std::optional<std::string>> ParseXarrayDimensions(const JsonNode& attributes, std::size_t rank) {
  std::vector<std::optional<std::string>> names;
  const auto list = FindMember(attributes, kXarrayDimensions);
  if (!list || !list->IsArray() || list->size() != rank) return names;
  for (const JsonNode& name : list->GetItems()) {
    names.push_back(name.IsString() ? std::optional(name.AsString()) : std::nullopt);
  }
  return names;
}

ArrayMetadata ParseArrayV2(const JsonNode& document, const std::optional<JsonNode>& zattrs) {
  if (!document.IsObject()) document.FailExpected("an object");
  CheckV2Format(document);
  ArrayMetadata array;
  const JsonNode zarray = CorrectArrayV2(document, &array.warnings);
  array.zarr_format = ZarrFormat::kV2;
  array.document = zarray;
  array.shape = ParseShape(zarray.At("shape"));
  array.chunk_grid = ParseRegularGrid(array.shape, zarray.At("chunks"));
  array.data_type = DataType::FromV2(zarray.At("dtype"));
  array.codecs = ParseCodecsV2(zarray, array.shape.size());
  array.implicit_bytes = true;
  ResolveObjectType(array.codecs, &array.data_type);
  array.fill_value = ParseFillValueV2(zarray.Find("fill_value").value_or(JsonNode()), array.data_type, &array.warnings);
  array.chunk_key_encoding = ParseKeysV2(zarray);
  array.attributes = ParseAttributes(zattrs);
  array.dimension_names = ParseXarrayDimensions(array.attributes, array.shape.size());
  array.Validate();
  return array;
}

GroupMetadata ParseGroupV2(const JsonNode& zgroup, const std::optional<JsonNode>& zattrs) {
  if (!zgroup.IsObject()) zgroup.FailExpected("an object");
  CheckV2Format(zgroup);
  GroupMetadata group{ZarrFormat::kV2, ParseAttributes(zattrs), std::nullopt};
  CorrectFormat(zgroup, 2, &group.warnings);
  return group;
}

}  // namespace zarr
