// SPDX-License-Identifier: MIT
#include "driver/overviews/layout_editor.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "driver/dataset/attribute_names.h"
#include "driver/georeferencing/geozarr/conventions_list.h"
#include "driver/overviews/group_place.h"
#include "driver/overviews/level_groups.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Returns true if a node is an array of at least two dimensions, which can have a pyramid.
bool IsRaster(SharedResource& resource, const std::string& path) {
  const bool is_array = resource.hierarchy().Probe(path) == zarr::NodeKind::kArray;
  const auto array = is_array ? resource.finder().FindArray(path) : nullptr;
  return array && array->rank() >= 2;
}

/// Returns a level with other paths.
PyramidLevel Rename(const PyramidLevel& level, const std::string& asset, const std::string& derived_from) {
  PyramidLevel renamed{asset, derived_from, CopyWithMember(level.entry, "asset", JsonNode::MakeString(asset))};
  if (!derived_from.empty()) {
    renamed.entry = CopyWithMember(renamed.entry, "derived_from", JsonNode::MakeString(derived_from));
  }
  return renamed;
}

/// Compares levels by their factors, which those that this driver has made have in their names.
bool IsFiner(const PyramidLevel& a, const PyramidLevel& b) {
  constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();
  return FindLevelFactor(a.asset).value_or(kUnknown) < FindLevelFactor(b.asset).value_or(kUnknown);
}

/// Creates the entry of a base that has been named only by its levels so far.
PyramidLevel MakeBase(const std::string& asset, std::size_t rank) {
  const JsonNode scale = zarr::MakeNumberList(std::vector<double>(rank, 1));
  return ReadLevel(JsonNode::MakeObject(
      {{"asset", JsonNode::MakeString(asset)}, {"transform", JsonNode::MakeObject({{"scale", scale}})}}));
}

/// Returns a level whose source has been removed, as the base of a pyramid: of scale 1.
PyramidLevel MakeBase(const PyramidLevel& level) {
  PyramidLevel base{level.asset, "", CopyWithoutMember(level.entry, "derived_from")};
  const auto transform = FindMember(base.entry, "transform");
  const auto scale = transform ? FindMember(*transform, "scale") : std::nullopt;
  if (!scale || !scale->IsArray()) return base;
  const JsonNode ones = zarr::MakeNumberList(std::vector<double>(scale->size(), 1));
  base.entry = CopyWithMember(base.entry, "transform", JsonNode::MakeObject({{"scale", ones}}));
  return base;
}

/// Returns true if GDAL's built-in driver treats the base of another pyramid neither as an overview of the layout's
/// first array nor as broken: it treats each smaller array in the layout as an overview, and warns of another type or
/// rank.
bool IsNoLevelOf(const zarr::Array& array, const zarr::Array& first) {
  return array.rank() == first.rank() && array.data_type() == first.data_type() &&
         std::equal(array.shape().begin(), array.shape().end(), first.shape().begin(), std::greater_equal<>());
}

}  // namespace

LayoutEditor::LayoutEditor(SharedResource& resource, const std::string& group)
    : LayoutEditor(resource, group, resource.hierarchy().OpenGroup(group).attributes) {}

LayoutEditor::LayoutEditor(SharedResource& resource, std::string group, const JsonNode& attributes)
    : resource_(resource), group_(std::move(group)) {
  ReadLevels(attributes);
  for (const PyramidLevel& level : levels_) known_.insert(level.asset);
}

void LayoutEditor::ReadLevels(const JsonNode& attributes) {
  levels_.clear();
  groups_.clear();
  if (!Declares(attributes, kMultiscalesConvention)) return;
  const auto multiscales = attributes.Find(kMultiscalesAttribute);
  if (!multiscales) return;
  levels_ = ReadLayout(*multiscales);
  ExpandGroups();
}

void LayoutEditor::CheckIsFree() const {
  const zarr::Hierarchy& hierarchy = resource_.hierarchy();
  const JsonNode attributes = hierarchy.OpenGroup(group_).attributes;
  if (!FindMember(attributes, kMultiscalesAttribute) || Declares(attributes, kMultiscalesConvention)) return;
  throw zarr::Error(
      zarr::ErrorKind::kUnsupported, hierarchy.store()->name(), group_, "",
      "the group's attribute multiscales describes a pyramid of another convention, such as OME-NGFF, and "
      "would be replaced; in a dataset that is open for reading only, overviews are made in a file");
}

std::vector<PyramidLevel> LayoutEditor::FindArraysOfLevel(const PyramidLevel& level) const {
  const zarr::Hierarchy& hierarchy = resource_.hierarchy();
  const std::string path = zarr::JoinKey(group_, level.asset);
  if (hierarchy.Probe(path) == zarr::NodeKind::kArray) return {level};
  const bool from_group = !level.derived_from.empty() && IsGroupOfLevels(level.derived_from);
  std::vector<PyramidLevel> arrays;
  const bool is_there = hierarchy.Probe(path).has_value();
  for (const zarr::Hierarchy::Child& child : is_there ? hierarchy.List(path) : std::vector<zarr::Hierarchy::Child>()) {
    if (!IsRaster(resource_, zarr::JoinKey(path, child.name))) continue;
    if (!IsRaster(resource_, zarr::JoinKey(group_, child.name))) continue;
    arrays.push_back(
        Rename(level, level.asset + "/" + child.name, from_group ? level.derived_from + "/" + child.name : child.name));
  }
  if (!arrays.empty()) return arrays;
  // The layout names groups only if all levels are those of its first array. This level's array has been lost, but the
  // levels made from it have not.
  const std::string& base = levels_.front().asset;
  if (!IsGroupForLevels(level.asset) || !IsRaster(resource_, zarr::JoinKey(group_, base))) return {level};
  return {Rename(level, level.asset + "/" + base, from_group ? level.derived_from + "/" + base : level.derived_from)};
}

bool LayoutEditor::IsGroupOfLevels(const std::string& asset) const {
  const auto kind = resource_.hierarchy().Probe(zarr::JoinKey(group_, asset));
  return kind == zarr::NodeKind::kGroup || (!kind && IsGroupForLevels(asset));
}

void LayoutEditor::ExpandGroups() {
  std::vector<PyramidLevel> expanded;
  for (const PyramidLevel& level : levels_) {
    for (PyramidLevel& array : FindArraysOfLevel(level)) {
      if (array.asset != level.asset) groups_.insert(level.asset);
      expanded.push_back(std::move(array));
    }
  }
  levels_ = std::move(expanded);
}

bool LayoutEditor::HasOnly(const std::string& array) const {
  return !levels_.empty() && levels_.front().asset == array &&
         std::ranges::all_of(FindRoots(levels_), [](const std::string& root) { return root.empty(); });
}

bool LayoutEditor::IsLevelOfOneArray(const std::string& group, const std::string& array) const {
  const bool is_made_here = GetParentPath(group).empty() && IsGroupForLevels(group);
  if (group.empty() || (!is_made_here && !groups_.contains(group))) return false;
  const std::string path = zarr::JoinKey(group_, group);
  const auto children = resource_.hierarchy().List(path);
  return std::none_of(children.begin(), children.end(), [&](const zarr::Hierarchy::Child& child) {
    return child.name != array && IsRaster(resource_, zarr::JoinKey(path, child.name));
  });
}

std::vector<PyramidLevel> LayoutEditor::ContractGroups() const {
  const std::string base = levels_.front().asset;
  if (!HasOnly(base) || !GetParentPath(base).empty()) return levels_;
  const auto name = [&](const std::string& asset) { return asset == base ? base : GetParentPath(asset); };
  std::vector<PyramidLevel> contracted = {levels_.front()};
  for (auto level = levels_.begin() + 1; level != levels_.end(); ++level) {
    const std::string group = GetParentPath(level->asset);
    if (GetNodeName(level->asset) != base || !IsLevelOfOneArray(group, base)) return levels_;
    contracted.push_back(Rename(*level, group, level->derived_from.empty() ? "" : name(level->derived_from)));
  }
  return contracted;
}

std::vector<PyramidLevel> LayoutEditor::FindLevelsBelow(const std::string& array) const {
  const auto is_in = [&array](const PyramidLevel& level) { return level.asset == array; };
  const auto is_from = [&array](const PyramidLevel& level) { return level.derived_from == array; };
  // An array that the layout does not name has no levels, though FindLevelsOf would return those of the first pyramid.
  if (std::none_of(levels_.begin(), levels_.end(), is_in) && std::none_of(levels_.begin(), levels_.end(), is_from)) {
    return {};
  }
  std::vector<PyramidLevel> below = FindLevelsOf(levels_, array);
  std::erase_if(below, is_in);
  return below;
}

bool LayoutEditor::IsLevelOfAnother(const std::string& array) const {
  const auto level = std::find_if(levels_.begin(), levels_.end(), [&](const auto& l) { return l.asset == array; });
  if (level == levels_.end()) return false;
  const std::string root = FindRoots(levels_)[static_cast<std::size_t>(level - levels_.begin())];
  return !level->derived_from.empty() || (root.empty() && level != levels_.begin());
}

void LayoutEditor::Replace(const std::string& array, const JsonNode& base, const std::vector<JsonNode>& below) {
  replacements_.push_back({array, base, below});
  for (const JsonNode& entry : below) known_.insert(ReadLevel(entry).asset);
  Apply(replacements_.back());
}

void LayoutEditor::Apply(const Replacement& replacement) {
  const auto& [array, base, below] = replacement;
  const auto is_it = [&name = array](const PyramidLevel& level) { return level.asset == name; };
  std::vector<PyramidLevel> old = FindLevelsBelow(array);
  const auto is_old = [&](const PyramidLevel& level) {
    return is_it(level) || std::any_of(old.begin(), old.end(), [&](const auto& o) { return o.asset == level.asset; });
  };
  const auto place = std::find_if(levels_.begin(), levels_.end(), is_old) - levels_.begin();
  std::erase_if(levels_, is_old);
  const std::vector<PyramidLevel> added = FindAdded(old);
  std::vector<PyramidLevel> fresh;
  if (!below.empty() || !added.empty()) fresh.push_back(ReadLevel(base));
  for (const JsonNode& entry : below) fresh.push_back(ReadLevel(entry));
  if (!added.empty()) {
    fresh.insert(fresh.end(), added.begin(), added.end());
    std::stable_sort(fresh.begin() + 1, fresh.end(), IsFiner);
  }
  const auto position = std::min<std::ptrdiff_t>(place, static_cast<std::ptrdiff_t>(levels_.size()));
  levels_.insert(levels_.begin() + position, fresh.begin(), fresh.end());
  AddBases();
  DropMisleadingBases();
}

std::vector<PyramidLevel> LayoutEditor::FindAdded(const std::vector<PyramidLevel>& below) const {
  std::vector<PyramidLevel> added = below;
  std::erase_if(added, [this](const PyramidLevel& level) { return known_.contains(level.asset); });
  return added;
}

void LayoutEditor::AddBases() {
  const auto has = [this](const std::string& asset) {
    return std::any_of(levels_.begin(), levels_.end(), [&](const PyramidLevel& level) { return level.asset == asset; });
  };
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const std::string base = levels_[i].derived_from;
    if (base.empty() || !GetParentPath(base).empty() || has(base)) continue;
    const auto array = resource_.finder().FindArray(zarr::JoinKey(group_, base));
    if (array) levels_.insert(levels_.begin() + static_cast<std::ptrdiff_t>(i), MakeBase(base, array->rank()));
  }
}

void LayoutEditor::DropMisleadingBases() {
  const std::vector<std::string> roots = FindRoots(levels_);
  std::set<std::string> bases;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (roots[i] == levels_[i].asset) bases.insert(roots[i]);
  }
  if (bases.empty()) return;
  const auto first = resource_.finder().FindArray(zarr::JoinKey(group_, levels_.front().asset));
  std::erase_if(levels_, [&](const PyramidLevel& level) {
    if (!first || !bases.contains(level.asset)) return false;
    const auto array = resource_.finder().FindArray(zarr::JoinKey(group_, level.asset));
    return array && !IsNoLevelOf(*array, *first);
  });
}

void LayoutEditor::NameArrays(const std::string& array) {
  if (groups_.empty() || HasOnly(array)) return;
  resource_.Change().EditAttributes(group_, [this](const JsonNode& stored) {
    ReadLevels(stored);
    AddBases();
    DropMisleadingBases();
    return levels_.empty() ? stored : WithLevels(stored, levels_);
  });
}

void LayoutEditor::Save(const OverviewBase& base) {
  resource_.Change().EditAttributes(group_, [&](const JsonNode& stored) {
    ReadLevels(stored);
    for (const Replacement& replacement : replacements_) Apply(replacement);
    if (levels_.empty()) return WithoutLayout(stored);
    return WithGroupPlace(base, WithLevels(WithoutGroupPlace(stored), ContractGroups()));
  });
}

void LayoutEditor::Remove(const std::set<std::string>& removed) {
  resource_.Change().EditAttributes(group_, [&](const JsonNode& stored) {
    ReadLevels(stored);
    std::erase_if(levels_, [&](const PyramidLevel& level) { return removed.contains(level.asset); });
    for (PyramidLevel& level : levels_) {
      if (removed.contains(level.derived_from)) level = MakeBase(level);
    }
    AddBases();
    DropMisleadingBases();
    return levels_.empty() ? WithoutLayout(stored) : WithLevels(stored, ContractGroups());
  });
}

JsonNode LayoutEditor::WithLevels(JsonNode attributes, const std::vector<PyramidLevel>& levels) {
  std::vector<JsonNode> entries;
  for (const PyramidLevel& level : levels) entries.push_back(level.entry);
  const bool declared = Declares(attributes, kMultiscalesConvention);
  const auto known = declared ? attributes.Find(kMultiscalesAttribute) : std::nullopt;
  const JsonNode multiscales = CopyWithMember(known.value_or(JsonNode()), "layout", JsonNode::MakeArray(entries));
  if (!declared) {
    // The convention's schema prescribes this text.
    attributes =
        WithConvention(attributes, kMultiscalesConvention, "multiscales", "Multiscale layout of zarr datasets");
  }
  return CopyWithMember(attributes, kMultiscalesAttribute, multiscales);
}

}  // namespace gdal_zarr
