// SPDX-License-Identifier: MIT
#include "autotest/fuzz/support/metadata_checks.h"

#include <algorithm>
#include <memory>

#include "autotest/fuzz/support/checks.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_registry.h"
#include "zarrlib/metadata/array_summary.h"
#include "zarrlib/metadata/consolidated.h"
#include "zarrlib/metadata/document_names.h"

namespace zarr::fuzz {
namespace {

bool IsSameGrid(const ChunkGrid& a, const ChunkGrid& b) {
  if (a.kind() != b.kind() || a.rank() != b.rank()) return false;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    const auto runs = a.axis(i).runs();
    const auto others = b.axis(i).runs();
    if (a.axis(i).extent() != b.axis(i).extent()) return false;
    if (!std::equal(runs.begin(), runs.end(), others.begin(), others.end())) return false;
  }
  return true;
}

/// v3 has no undefined fill value, except for a missing element.
bool IsSameFill(const ArrayMetadata& a, const ArrayMetadata& b) {
  const bool tells_undefined = a.zarr_format != ZarrFormat::kV3 || a.data_type.optional_depth > 0;
  return a.fill_value.bytes == b.fill_value.bytes && (!tells_undefined || a.fill_value.defined == b.fill_value.defined);
}

bool IsSameSummary(const ArraySummary& a, const ArraySummary& b) {
  return a.shape == b.shape && a.data_type == b.data_type && a.dimension_names == b.dimension_names &&
         a.references == b.references;
}

/// The path of the node that a document belongs to; nothing for documents of attributes and groups of v2.
std::optional<std::string> FindArrayPath(const std::string& key) {
  for (const std::string_view name : {kV3Document, kV2Array}) {
    if (key == name) return "";
    if (key.ends_with("/" + std::string(name))) return key.substr(0, key.size() - name.size() - 1);
  }
  return std::nullopt;
}

std::optional<ArrayMetadata> ParseArrayAt(const ConsolidatedMetadata& documents, const std::string& path) {
  const std::string prefix = path.empty() ? "" : path + "/";
  if (const auto document = documents.Find(prefix + std::string(kV3Document))) return ParseArrayV3(*document);
  const auto document = documents.Find(prefix + std::string(kV2Array));
  if (!document) return std::nullopt;
  return ParseArrayV2(*document, documents.Find(prefix + std::string(kV2Attributes)));
}

void CheckSummaries(const ConsolidatedMetadata& documents) {
  for (const std::string& key : documents.GetKeys()) {
    const auto path = FindArrayPath(key);
    const auto summary = path ? documents.Summarize(*path) : std::nullopt;
    if (!summary) continue;
    const auto array = Try([&] { return ParseArrayAt(documents, *path); });
    if (!array || !*array) continue;
    Require(IsSameSummary(*summary, MakeSummary(**array)), "a summary is that of the parsed array", key);
  }
}

void RequireSameDocuments(const ConsolidatedMetadata& found, const ConsolidatedMetadata& parsed) {
  Require(found.GetKeys() == parsed.GetKeys(), "one pass finds the documents");
  for (const std::string& key : parsed.GetKeys()) {
    Require(found.Find(key)->Dump() == parsed.Find(key)->Dump(), "one pass finds what a document is", key);
  }
}

}  // namespace

void RequireSame(const ArrayMetadata& a, const ArrayMetadata& b) {
  const std::string place = a.document.Dump();
  Require(a.zarr_format == b.zarr_format, "the format is kept", place);
  Require(a.shape == b.shape, "the shape is kept", place);
  Require(a.data_type == b.data_type, "the data type is kept", place);
  Require(a.data_type.endian == b.data_type.endian, "the byte order is kept", place);
  Require(IsSameGrid(a.chunk_grid, b.chunk_grid), "the chunk grid is kept", place);
  Require(a.chunk_key_encoding == b.chunk_key_encoding, "the keys are kept", place);
  Require(IsSameFill(a, b), "the fill value is kept", place);
  // v1 has no names, but its attributes may become names in v2.
  Require(a.dimension_names.empty() || a.dimension_names == b.dimension_names, "the names of dimensions are kept",
          place);
  Require(a.codecs.size() == b.codecs.size() || a.implicit_bytes, "the codecs are kept", place);
}

void CheckCodecs(const ArrayMetadata& array) {
  const auto pipeline = MakePipeline(array.codecs, array.implicit_bytes);
  const auto resolved = pipeline->Resolve({array.chunk_grid.max_chunk_shape(), array.data_type, array.fill_value});
  resolved->max_encoded_size();
  resolved->largest_array();
  resolved->max_open_size();
}

void CheckConsolidatedOfV2(const std::string& text) {
  IsOfParquetReferences(text);
  const auto found = ConsolidatedMetadata::FromTextOfV2(ToBytes(text), "store", kV2Consolidated);
  CheckSummaries(*found);
  const auto whole = Try([&] { return JsonNode::Parse(text, "store", kV2Consolidated); });
  if (whole) RequireSameDocuments(*found, *ConsolidatedMetadata::FromV2(*whole));
}

void CheckRootOfV3(const std::string& text) {
  const RootOfV3 root = ParseRootOfV3(ToBytes(text), "store", kV3Document);
  if (!root.consolidated) return;
  CheckSummaries(*root.consolidated);
  const auto whole = Try([&] { return JsonNode::Parse(text, "store", kV3Document); });
  if (!whole) return;
  const auto group = Try([&] { return ParseGroupV3(*whole); });
  if (!group || !group->consolidated) return;
  RequireSameDocuments(*root.consolidated, *ConsolidatedMetadata::FromV3(*group->consolidated, root.document));
}

}  // namespace zarr::fuzz
