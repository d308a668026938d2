// SPDX-License-Identifier: MIT
#include <algorithm>
#include <iterator>
#include <span>

#include "zarrlib/base/limits.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/metadata/implied_codecs.h"
#include "zarrlib/metadata/metadata_parts.h"
#include "zarrlib/metadata/near_valid.h"

namespace zarr {
namespace {

constexpr std::string_view kArrayMembers[] = {
    "zarr_format",        "node_type",  "shape",  "data_type",  "chunk_grid",
    "chunk_key_encoding", "fill_value", "codecs", "attributes", "storage_transformers",
    "dimension_names"};
constexpr std::string_view kGroupMembers[] = {"zarr_format", "node_type", "attributes", "consolidated_metadata"};

/// Checks "must_understand" (Zarr v3 core): an unknown extension may only be ignored if it allows that.
void CheckMembers(const JsonNode& document, std::span<const std::string_view> known) {
  for (const auto& [name, value] : document.GetMembers()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto must_understand = FindMember(value, "must_understand");
    if (must_understand && must_understand->IsBoolean() && !must_understand->AsBoolean()) continue;
    value.Fail(ErrorKind::kUnsupported, "an extension that is not known, and not marked \"must_understand\": false");
  }
}

void CheckV3Format(const JsonNode& document) {
  if (!document.IsObject()) document.FailExpected("an object");
  if (HasFormat(document, 3)) return;
  const JsonNode format = document.At("zarr_format");
  format.Fail(ErrorKind::kUnsupported, FormatExpectedGot("zarr_format 3", format.GetExcerpt()));
}

/// Parses a name, or {name, configuration}.
CodecSpec ParseCodecV3(const JsonNode& node) {
  if (node.IsString()) return {node.AsString(), JsonNode::MakeObject({}, node)};
  if (!node.IsObject()) node.FailExpected("a codec's name, or an object with a name");
  const auto configuration = node.Find("configuration");
  if (configuration && !configuration->IsNull() && !configuration->IsObject()) configuration->FailExpected("an object");
  const bool given = configuration && configuration->IsObject();
  return {node.At("name").AsString(), given ? *configuration : JsonNode::MakeObject({}, node)};
}

std::vector<std::optional<std::string>> ParseDimensionNames(const JsonNode& node, std::size_t rank) {
  if (!node.IsArray() || node.size() != rank) node.FailExpected("a list of " + std::to_string(rank) + " names");
  std::vector<std::optional<std::string>> names;
  for (const JsonNode& name : node.GetItems()) {
    names.push_back(name.IsNull() ? std::nullopt : std::optional(name.AsString()));
  }
  return names;
}

/// Reads the list of codecs, which must have one array-to-bytes codec unless a writer is known to omit it.
void ReadV3Codecs(const JsonNode& document, ArrayMetadata* array) {
  if (const auto codecs = document.Find("codecs")) array->codecs = ParseCodecsV3(*codecs);
  array->implicit_bytes = IsBytesImplied(document, array->codecs);
  if (array->implicit_bytes) {
    array->warnings.push_back(document.pointer() + "/codecs: no array-to-bytes codec; \"bytes\" is assumed");
  } else {
    document.At("codecs");  // throws if there is none
    AddImpliedInnerCodecs(document, &array->codecs, &array->warnings);
  }
}

}  // namespace

std::vector<CodecSpec> ParseCodecsV3(const JsonNode& node) {
  if (!node.IsArray()) node.FailExpected("a list of codecs");
  if (node.size() > GetLimit(Limit::kCodecs)) {
    node.Fail(ErrorKind::kLimitExceeded,
              FormatExpectedGot(FormatAtMost(Limit::kCodecs, "codecs"), std::to_string(node.size())));
  }
  std::vector<CodecSpec> codecs;
  for (const JsonNode& item : node.GetItems()) codecs.push_back(ParseCodecV3(item));
  return codecs;
}

std::string GetNodeTypeV3(const JsonNode& zarr_json) {
  CheckV3Format(zarr_json);
  const JsonNode type = zarr_json.At("node_type");
  if (type.AsString() != "array" && type.AsString() != "group") type.FailExpected("\"array\" or \"group\"");
  return type.AsString();
}

ArrayMetadata ParseArrayV3(const JsonNode& document) {
  CheckV3Format(document);
  CheckMembers(document, kArrayMembers);
  ArrayMetadata array;
  const JsonNode zarr_json = CorrectArrayV3(document, &array.warnings);
  array.document = zarr_json;
  array.shape = ParseShape(zarr_json.At("shape"));
  array.data_type = DataType::FromV3(zarr_json.At("data_type"));
  array.chunk_grid = ChunkGrid::FromV3(array.shape, zarr_json.At("chunk_grid"));
  array.chunk_key_encoding = ChunkKeyEncoding::FromV3(zarr_json.At("chunk_key_encoding"));
  ReadV3Codecs(zarr_json, &array);
  // GDAL writes null for each array without a nodata value, which is not worth a warning.
  array.fill_value = ParseFillValueV3(zarr_json.At("fill_value"), array.data_type, &array.warnings);
  array.attributes = ParseAttributes(zarr_json.Find("attributes"));
  if (const auto names = zarr_json.Find("dimension_names"); names && !names->IsNull()) {
    array.dimension_names = ParseDimensionNames(*names, array.shape.size());
  }
  if (const auto transformers = zarr_json.Find("storage_transformers");
      transformers && !transformers->IsNull() && transformers->size() > 0) {
    transformers->Fail(ErrorKind::kUnsupported, "storage transformers are not supported; none is registered");
  }
  array.Validate();
  return array;
}

GroupMetadata ParseGroupV3(const JsonNode& zarr_json) {
  CheckV3Format(zarr_json);
  CheckMembers(zarr_json, kGroupMembers);
  GroupMetadata group{ZarrFormat::kV3, ParseAttributes(zarr_json.Find("attributes")), std::nullopt};
  CorrectFormat(zarr_json, 3, &group.warnings);
  const auto consolidated = zarr_json.Find("consolidated_metadata");
  if (!consolidated || !consolidated->IsObject()) return group;
  const auto kind = consolidated->Find("kind");
  const auto metadata = consolidated->Find("metadata");
  if (kind && kind->IsString() && kind->AsString() == "inline" && metadata && metadata->IsObject()) {
    group.consolidated = metadata;
  }
  return group;
}

}  // namespace zarr
