// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/stale_regions.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>

#include "zarrlib/base/error.h"
#include "zarrlib/base/text.h"
#include "zarrlib/grid/box_cover.h"
#include "zarrlib/json/json_edit.h"

namespace zarr {
namespace {

Shape ReadShape(const JsonNode& list, std::size_t rank) {
  if (!list.IsArray() || list.size() != rank) list.FailExpected("a list of " + std::to_string(rank) + " numbers");
  Shape shape;
  for (const JsonNode& item : list.GetItems()) shape.push_back(item.AsUint64());
  return shape;
}

JsonNode MakeList(const Shape& shape) {
  std::vector<JsonNode> items;
  for (const std::uint64_t length : shape) items.push_back(JsonNode::MakeUnsigned(length));
  return JsonNode::MakeArray(items);
}

JsonNode MakeList(const std::vector<std::string>& texts) {
  std::vector<JsonNode> items;
  for (const std::string& text : texts) items.push_back(JsonNode::MakeString(text));
  return JsonNode::MakeArray(items);
}

StaleRegion ReadRegion(const JsonNode& item, std::size_t rank) {
  StaleRegion region;
  region.id = item.At("id").AsString();
  region.box = {ReadShape(item.At("start"), rank), ReadShape(item.At("shape"), rank)};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (!AddChecked(region.box.origin[axis], region.box.shape[axis])) item.FailExpected("a box inside an array");
  }
  const auto levels = item.Find("levels");
  for (const JsonNode& level : levels ? levels->GetItems() : std::vector<JsonNode>()) {
    region.levels.push_back(level.AsString());
  }
  return region;
}

JsonNode MakeItem(const StaleRegion& region) {
  JsonMembers members = {{"id", JsonNode::MakeString(region.id)},
                         {"start", MakeList(region.box.origin)},
                         {"shape", MakeList(region.box.shape)}};
  if (!region.levels.empty()) members.emplace_back("levels", MakeList(region.levels));
  return JsonNode::MakeObject(members);
}

/// Returns the levels of either list; an empty list stands for all levels.
std::vector<std::string> UniteLevels(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  if (a.empty() || b.empty()) return {};
  std::vector<std::string> all = a;
  for (const std::string& level : b) {
    if (std::ranges::find(all, level) == all.end()) all.push_back(level);
  }
  return all;
}

bool HasLevelsOf(const StaleRegion& outer, const StaleRegion& inner) {
  if (outer.levels.empty()) return true;
  const auto is_in = [&](const std::string& level) {
    return std::ranges::find(outer.levels, level) != outer.levels.end();
  };
  return !inner.levels.empty() && std::ranges::all_of(inner.levels, is_in);
}

bool IsIn(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

}  // namespace

std::string MakeRegionId() {
  thread_local std::random_device device;
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string id;
  for (int word = 0; word < 2; ++word) {
    std::uint32_t bits = device();
    for (int digit = 0; digit < 8; ++digit, bits >>= 4) id += kDigits[bits & 15];
  }
  return id;
}

StaleRegions::StaleRegions(const JsonNode& attributes, std::size_t rank) {
  const auto items = FindMember(attributes, kStaleOverviewsAttribute);
  if (!items) return;
  try {
    if (!items->IsArray()) items->FailExpected("a list of regions");
    for (const JsonNode& item : items->GetItems()) {
      list_.push_back(ReadRegion(item, rank));
    }
  } catch (const Error&) {
    list_ = {{"", {Shape(rank), Shape(rank, INT64_MAX)}, {}}};
  }
}

bool StaleRegions::Add(const StaleRegion& region) {
  for (StaleRegion& other : list_) {
    if (!Contains(other.box, region.box) || !HasLevelsOf(other, region)) continue;
    other.id = region.id;
    return false;
  }
  list_.push_back(region);
  if (list_.size() > kMost) MergeClosest();
  return true;
}

void StaleRegions::MergeClosest() {
  std::vector<Box> boxes;
  for (const StaleRegion& region : list_) boxes.push_back(region.box);
  const auto [first, second] = FindClosest(boxes);
  StaleRegion& kept = list_[first];
  const StaleRegion& other = list_[second];
  kept = {MakeRegionId(), GetBoundingBox(kept.box, other.box), UniteLevels(kept.levels, other.levels)};
  list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(second));
}

void StaleRegions::Remove(const std::string& id) {
  std::erase_if(list_, [&](const StaleRegion& region) { return region.id == id; });
}

void StaleRegions::RemoveLevels(const std::vector<std::string>& ids, const std::vector<std::string>& levels,
                                const std::vector<std::string>& all) {
  std::erase_if(list_, [&](StaleRegion& region) {
    if (!IsIn(ids, region.id)) return false;
    if (region.levels.empty()) region.levels = all;
    std::erase_if(region.levels, [&](const std::string& level) { return IsIn(levels, level) || !IsIn(all, level); });
    return region.levels.empty();
  });
}

JsonNode StaleRegions::ApplyTo(const JsonNode& attributes) const {
  if (list_.empty()) return CopyWithoutMember(attributes, kStaleOverviewsAttribute);
  std::vector<JsonNode> items;
  for (const StaleRegion& region : list_) items.push_back(MakeItem(region));
  return CopyWithMember(attributes, kStaleOverviewsAttribute, JsonNode::MakeArray(items));
}

StaleRegions StaleRegions::ClipTo(const Shape& shape) const {
  StaleRegions clipped;
  for (StaleRegion region : list_) {
    region.box = Intersect(region.box, {Shape(shape.size()), shape});
    if (!region.box.empty()) clipped.list_.push_back(std::move(region));
  }
  return clipped;
}

std::string StaleRegions::ToText() const {
  std::string text;
  for (const StaleRegion& region : list_) {
    if (!text.empty()) text += "; ";
    for (std::size_t axis = 0; axis < region.box.rank(); ++axis) {
      text +=
          (axis > 0 ? "," : "") + std::to_string(region.box.origin[axis]) + ":" + std::to_string(region.box.end(axis));
    }
    std::string names;
    for (const std::string& level : region.levels) names += (names.empty() ? "" : ", ") + level;
    if (!names.empty()) text += " (" + names + ")";
  }
  return text;
}

}  // namespace zarr
