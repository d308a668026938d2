// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/array_outline.h"

#include "zarrlib/metadata/document_names.h"

namespace zarr {
namespace {

/// Returns the field of the outline that holds the value of an attribute; null for attributes that are not needed.
std::string_view* FindAttributePlace(std::string_view name, Outline* outline) {
  if (name == kXarrayDimensions) return &outline->dimension_names;
  for (std::size_t i = 0; i < kReferringAttributes.size(); ++i) {
    if (name == kReferringAttributes[i]) return &outline->references[i];
  }
  return nullptr;
}

void TakeAttributes(JsonCursor* cursor, Outline* outline) {
  if (!cursor->IsNextObject()) {
    cursor->TakeValue();
    return;
  }
  cursor->EnterObject();
  std::string_view name;
  while (cursor->ReadNextMember(&name)) {
    const std::string_view value = cursor->TakeValue();
    if (std::string_view* place = FindAttributePlace(name, outline)) *place = value;
  }
}

/// Parses the names of a v3 array or of xarray's list. Returns nullopt for any other list. null is a dimension without
/// a name.
std::optional<std::vector<std::optional<std::string>>> ParseNames(std::string_view text, std::size_t rank) {
  std::vector<std::optional<std::string>> names;
  if (text.empty() || text == "null") return names;
  const auto plain = ParsePlainStrings(text);
  if (!plain || plain->size() != rank) return std::nullopt;
  for (const std::string_view name : *plain) names.emplace_back(std::string(name));
  return names;
}

}  // namespace

Outline TakeOutlineOfV3(JsonCursor* cursor) {
  Outline outline;
  std::string_view names;
  std::string_view name;
  cursor->EnterObject();
  while (cursor->ReadNextMember(&name)) {
    if (name == "attributes") {
      TakeAttributes(cursor, &outline);
      continue;
    }
    const std::string_view value = cursor->TakeValue();
    if (name == "node_type") outline.node_type = value;
    if (name == "shape") outline.shape = value;
    if (name == "data_type") outline.data_type = value;
    if (name == "dimension_names") names = value;
  }
  outline.dimension_names = names;  // xarray's attribute does not matter in v3
  return outline;
}

Outline TakeOutlineOfV2(JsonCursor* cursor) {
  Outline outline;
  std::string_view name;
  cursor->EnterObject();
  while (cursor->ReadNextMember(&name)) {
    const std::string_view value = cursor->TakeValue();
    if (name == "shape") outline.shape = value;
    if (name == "dtype") outline.data_type = value;
  }
  return outline;
}

Outline TakeOutlineOfAttributes(JsonCursor* cursor) {
  Outline outline;
  TakeAttributes(cursor, &outline);
  return outline;
}

std::optional<ArraySummary> MakeSummaryWithoutType(const Outline& outline) {
  const auto shape = ParsePlainIntegers(outline.shape);
  if (!shape || shape->size() > kMaxRank) return std::nullopt;
  ArraySummary summary;
  for (const std::uint64_t extent : *shape) summary.shape.push_back(extent);
  auto names = ParseNames(outline.dimension_names, shape->size());
  if (!names) return std::nullopt;
  summary.dimension_names = *std::move(names);
  for (const std::string_view text : outline.references) {
    if (text.empty()) continue;
    const auto reference = ParsePlainString(text);
    if (!reference) return std::nullopt;
    summary.references.emplace_back(*reference);
  }
  return summary;
}

}  // namespace zarr
