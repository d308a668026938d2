// SPDX-License-Identifier: MIT
#include "driver/overviews/removed_levels.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;
using Numbers = std::vector<double>;

constexpr const char* kPaths[] = {"asset", "group"};
constexpr const char* kSources[] = {"derived_from", "from_group"};

/// Returns a list of a transform; nullopt unless it has that many numbers. A missing list changes nothing.
std::optional<Numbers> ReadNumbers(const JsonNode& transform, const char* name, std::size_t count, double unchanged) {
  const auto list = FindMember(transform, name);
  if (!list) return Numbers(count, unchanged);
  if (!list->IsArray() || list->size() != count) return std::nullopt;
  Numbers numbers;
  for (const JsonNode& item : list->GetItems()) {
    if (!item.IsNumber()) return std::nullopt;
    numbers.push_back(item.AsDouble());
  }
  return numbers;
}

std::size_t CountAxes(const JsonNode& transform) {
  for (const char* name : {"scale", "translation"}) {
    const auto list = FindMember(transform, name);
    if (list && list->IsArray()) return list->size();
  }
  return 0;
}

/// Returns the transform that has the effect of one after the other; nullopt if it is not known.
std::optional<JsonNode> Compose(const JsonNode& first, const JsonNode& second) {
  const std::size_t count = CountAxes(first);
  const auto scale = ReadNumbers(first, "scale", count, 1);
  const auto translation = ReadNumbers(first, "translation", count, 0);
  const auto next_scale = ReadNumbers(second, "scale", count, 1);
  const auto next_translation = ReadNumbers(second, "translation", count, 0);
  const bool are_known = scale && translation && next_scale && next_translation && CountAxes(second) == count;
  if (!are_known || count == 0) return std::nullopt;
  Numbers scales;
  Numbers translations;
  for (std::size_t i = 0; i < count; ++i) {
    scales.push_back((*scale)[i] * (*next_scale)[i]);
    translations.push_back((*translation)[i] * (*next_scale)[i] + (*next_translation)[i]);
  }
  const JsonNode result = CopyWithMember(first, "scale", zarr::MakeNumberList(scales));
  return CopyWithMember(result, "translation", zarr::MakeNumberList(translations));
}

/// Returns a level whose source has been removed, as one of the source's own source.
JsonNode WithSourceOf(const JsonNode& removed, const char* member, JsonNode entry) {
  const auto source = FindMember(removed, member);
  const auto transform = FindMember(entry, "transform");
  if (!source || source->IsNull()) {
    entry = CopyWithoutMember(entry, member);
    const std::size_t axes = transform ? CountAxes(*transform) : 0;
    if (axes == 0) return entry;
    return CopyWithMember(entry, "transform",
                          JsonNode::MakeObject({{"scale", zarr::MakeNumberList(Numbers(axes, 1))}}));
  }
  entry = CopyWithMember(entry, member, *source);
  if (!transform) return entry;
  const auto next = FindMember(removed, "transform");
  const auto composed = next ? Compose(*transform, *next) : std::nullopt;
  // Without a transform, the shapes count.
  return composed ? CopyWithMember(entry, "transform", *composed) : CopyWithoutMember(entry, "transform");
}

}  // namespace

std::vector<JsonNode> WithoutRemovedLevels(const std::vector<JsonNode>& entries, const IsRemoved& is_removed) {
  std::vector<JsonNode> left;
  std::vector<JsonNode> removed;
  for (const JsonNode& entry : entries) {
    const bool is_gone = std::ranges::any_of(kPaths, [&](const char* member) { return is_removed(entry, member); });
    (is_gone ? removed : left).push_back(entry);
  }
  for (JsonNode& entry : left) {
    for (std::size_t i = 0; i < std::size(kSources); ++i) {
      // Each step leads to a source further up; in a circle of sources there is no end.
      for (std::size_t steps = 0; steps <= removed.size() && is_removed(entry, kSources[i]); ++steps) {
        const JsonNode source = entry.At(kSources[i]);
        const auto found = std::ranges::find_if(
            removed, [&](const JsonNode& other) { return FindMember(other, kPaths[i]) == std::optional(source); });
        entry = WithSourceOf(found == removed.end() ? JsonNode() : *found, kSources[i], entry);
      }
    }
  }
  return left;
}

}  // namespace gdal_zarr
