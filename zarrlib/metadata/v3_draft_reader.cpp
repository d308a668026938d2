// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/base/shape.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/codec_names.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/document_parts.h"
#include "zarrlib/metadata/metadata_parts.h"
#include "zarrlib/metadata/v3_draft.h"

namespace zarr {
namespace {

/// The attribute in which zarr-python lists filters, because the draft does not have a member for them.
constexpr std::string_view kFilters = "filters";

/// Throws if a document has an extension that must be understood.
void CheckExtensions(const JsonNode& document) {
  const auto extensions = document.Find("extensions");
  if (!extensions || extensions->IsNull()) return;
  if (!extensions->IsArray()) extensions->FailExpected("a list");
  for (const JsonNode& extension : extensions->GetItems()) {
    const auto must_understand = FindMember(extension, "must_understand");
    if (must_understand && must_understand->IsBoolean() && !must_understand->AsBoolean()) continue;
    extension.Fail(ErrorKind::kUnsupported,
                   "an extension that is not known, and not marked \"must_understand\": false");
  }
}

// --- data types ---------------------------------------------------------------------------------------------------

/// Parses a name such as "<i2", "u1", "bool" or "r16". The draft omits the "|" of NumPy's type strings.
DataType ParseTypeName(const JsonNode& node) {
  const std::string& name = node.AsString();
  DataType type;
  if (name == "bool" || name == "i1" || name == "u1") {
    type = DataType::FromV2(JsonNode::MakeString(name == "bool" ? "|b1" : "|" + name, node));
  } else if (name.size() > 1 && name[0] == 'r' && name.find_first_not_of("0123456789", 1) == std::string::npos) {
    type = DataType::FromV3(node);
  } else {
    type = DataType::FromV2(node);
  }
  type.name = name;
  return type;
}

/// Parses the `type` of an extension: a name, or NumPy's list of fields. Returns nullopt for any other type.
std::optional<DataType> ParseExtensionType(const JsonNode& type) {
  if (!type.IsString() && !type.IsArray()) return std::nullopt;
  try {
    return type.IsString() ? ParseTypeName(type) : DataType::FromV2(type);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCorrupt && error.kind() != ErrorKind::kUnsupported) throw;
    return std::nullopt;
  }
}

DataType ParseDataType(const JsonNode& node, std::vector<std::string>* warnings) {
  if (node.IsString()) return ParseTypeName(node);
  if (!node.IsObject()) node.FailExpected("a name, or an object with a \"type\"");
  const JsonNode type = node.At("type");
  if (auto known = ParseExtensionType(type)) return *std::move(known);
  const auto fallback = node.Find("fallback");
  if (fallback && !fallback->IsNull()) {
    warnings->push_back(type.pointer() + ": unknown; the fallback " + fallback->Dump() + " is used");
    return ParseTypeName(*fallback);
  }
  DataType unknown;
  unknown.kind = DataType::Kind::kUnknown;
  unknown.size = 0;
  unknown.name = type.IsString() ? type.AsString() : type.Dump();
  return unknown;
}

// --- chunks -------------------------------------------------------------------------------------------------------

char ParseSeparator(const JsonNode& document, const JsonNode& chunk_grid) {
  auto separator = document.Find("dimension_separator");  // zarr-python prefers it
  if (!separator || separator->IsNull()) separator = chunk_grid.Find("separator");
  if (!separator) return '/';
  const std::string& text = separator->AsString();
  if (text != "/" && text != ".") separator->FailExpected("\"/\" or \".\"");
  return text[0];
}

void ReadChunkGrid(const JsonNode& document, ArrayMetadata* array) {
  const JsonNode grid = document.At("chunk_grid");
  const JsonNode type = grid.At("type");
  if (type.AsString() != "regular") {
    type.Fail(ErrorKind::kUnsupported, FormatExpectedGot("\"regular\"", type.GetExcerpt()));
  }
  array->chunk_grid = ParseRegularGrid(array->shape, grid.At("chunk_shape"));
  array->chunk_key_encoding = {ChunkKeyEncoding::Kind::kV3Draft, ParseSeparator(document, grid)};
  array->chunk_root = kV3DraftChunkRoot;
}

/// Returns the name of a codec in a URL such as "https://purl.org/zarr/spec/codec/gzip/1.0".
std::string ParseCodecName(const JsonNode& node) {
  constexpr std::string_view kPrefix = "https://purl.org/zarr/spec/codec/";
  const std::string& url = node.AsString();
  if (!url.starts_with(kPrefix)) {
    node.Fail(ErrorKind::kUnsupported,
              FormatExpectedGot("\"" + std::string(kPrefix) + "<name>/<version>\"", node.GetExcerpt()));
  }
  const std::string name = url.substr(kPrefix.size());
  return MakeNumcodecsName(name.substr(0, name.find('/')));
}

std::optional<CodecSpec> ParseCompressor(const JsonNode& document) {
  const auto compressor = document.Find("compressor");
  if (!compressor || compressor->IsNull()) return std::nullopt;
  if (!compressor->IsObject()) compressor->FailExpected("an object with a \"codec\"");
  const auto configuration = compressor->Find("configuration");
  if (configuration && !configuration->IsObject()) configuration->FailExpected("an object");
  return CodecSpec{ParseCodecName(compressor->At("codec")),
                   configuration ? *configuration : JsonNode::MakeObject({}, *compressor)};
}

/// Moves the filters out of the attributes.
std::vector<CodecSpec> TakeFilters(ArrayMetadata* array) {
  const auto filters = FindMember(array->attributes, kFilters);
  const auto is_filter = [](const JsonNode& item) { return FindMember(item, "id").has_value(); };
  if (!filters || !filters->IsArray() || filters->size() == 0) return {};
  const std::vector<JsonNode> items = filters->GetItems();
  if (!std::all_of(items.begin(), items.end(), is_filter)) return {};
  std::vector<CodecSpec> codecs;
  for (const JsonNode& item : items) codecs.push_back(ParseNumcodecsForm(item));
  array->attributes = CopyWithoutMember(array->attributes, kFilters);
  return codecs;
}

void ReadDraftCodecs(const JsonNode& document, ArrayMetadata* array) {
  array->implicit_bytes = true;
  if (const auto layout = document.Find("chunk_memory_layout")) {
    if (layout->AsString() != "C" && layout->AsString() != "F") layout->FailExpected("\"C\" or \"F\"");
    if (layout->AsString() == "F") array->codecs.push_back(ReverseAxes(*layout, array->shape.size()));
  }
  for (CodecSpec& filter : TakeFilters(array)) array->codecs.push_back(std::move(filter));
  if (auto compressor = ParseCompressor(document)) array->codecs.push_back(*std::move(compressor));
}

/// Reads the only storage transformer that was ever written: shards. They are like those of v3, but their index does
/// not have a checksum.
void ReadShards(const JsonNode& document, ArrayMetadata* array) {
  constexpr std::string_view kSharding = "https://purl.org/zarr/spec/storage_transformers/sharding/1.0";
  const auto transformers = document.Find("storage_transformers");
  if (!transformers || transformers->IsNull()) return;
  if (!transformers->IsArray()) transformers->FailExpected("a list");
  if (transformers->size() == 0) return;
  const JsonNode shards = (*transformers)[0];
  const JsonNode extension = shards.At("extension");
  if (transformers->size() > 1 || extension.AsString() != kSharding || shards.At("type").AsString() != "indexed") {
    transformers->Fail(ErrorKind::kUnsupported, "storage transformers other than one of \"indexed\" shards");
  }
  const JsonNode counts = shards.At("configuration").At("chunks_per_shard");
  const Shape chunks_per_shard = ParseShape(counts);
  if (chunks_per_shard.size() != array->shape.size()) {
    counts.FailExpected("a list of " + std::to_string(array->shape.size()) + " integers");
  }
  const Shape inner = array->chunk_grid.max_chunk_shape();
  Shape outer = inner;
  for (std::size_t i = 0; i < outer.size(); ++i) {
    const auto edge = MultiplyChecked(inner[i], chunks_per_shard[i]);
    if (!edge || *edge == 0) counts[i].FailExpected("a positive integer");
    outer[i] = *edge;
  }
  array->chunk_grid = ChunkGrid::MakeRegular(array->shape, outer);
  array->codecs = {MakeShardingSpec(inner, ConvertCodecsToV3(array->codecs, array->data_type), false)};
  array->implicit_bytes = false;
}

}  // namespace

bool IsEntryPointV3Draft(const JsonNode& zarr_json) {
  const auto format = FindMember(zarr_json, "zarr_format");
  return format && format->IsString() && format->AsString().starts_with("http");
}

void CheckEntryPointV3Draft(const JsonNode& zarr_json) {
  const JsonNode format = zarr_json.At("zarr_format");
  if (format.AsString() != kV3DraftFormat) {
    format.Fail(ErrorKind::kUnsupported,
                FormatExpectedGot("3, or \"" + std::string(kV3DraftFormat) + "\"", format.GetExcerpt()));
  }
  const auto suffix = zarr_json.Find("metadata_key_suffix");
  if (suffix && suffix->AsString() != ".json") {
    suffix->Fail(ErrorKind::kUnsupported, FormatExpectedGot("\".json\"", suffix->GetExcerpt()));
  }
  CheckExtensions(zarr_json);
}

ArrayMetadata ParseArrayV3Draft(const JsonNode& document) {
  if (!document.IsObject()) document.FailExpected("an object");
  CheckExtensions(document);
  ArrayMetadata array;
  array.zarr_format = ZarrFormat::kV3Draft;
  array.read_only = kV3DraftIsReadOnly;
  array.document = document;
  array.shape = ParseShape(document.At("shape"));
  ReadChunkGrid(document, &array);
  array.data_type = ParseDataType(document.At("data_type"), &array.warnings);
  array.attributes = ParseAttributes(document.Find("attributes"));
  ReadDraftCodecs(document, &array);
  ResolveObjectType(array.codecs, &array.data_type);
  array.fill_value =
      ParseFillValueV2(document.Find("fill_value").value_or(JsonNode()), array.data_type, &array.warnings);
  ReadShards(document, &array);
  array.dimension_names = ParseXarrayDimensions(array.attributes, array.shape.size());
  array.Validate();
  return array;
}

GroupMetadata ParseGroupV3Draft(const JsonNode& document) {
  if (!document.IsObject()) document.FailExpected("an object");
  CheckExtensions(document);
  return {ZarrFormat::kV3Draft, ParseAttributes(document.Find("attributes")), std::nullopt};
}

}  // namespace zarr
