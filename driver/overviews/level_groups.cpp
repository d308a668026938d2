#include "driver/overviews/level_groups.h"

#include <algorithm>
#include <set>
#include <vector>

#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;
using Names = std::set<std::string>;

constexpr const char* kUnfinished = "unfinished_overviews";

JsonNode AttributesOfGroup(const OverviewBase& base, const std::string& group) {
  const zarr::Hierarchy& hierarchy = base.resource().hierarchy();
  const bool is_group = hierarchy.Probe(group) == zarr::NodeKind::kGroup;
  return is_group ? hierarchy.OpenGroup(group).attributes : JsonNode();
}

Names UnfinishedIn(const JsonNode& attributes) {
  Names names;
  const auto list = attributes.IsObject() ? attributes.Find(kUnfinished) : std::nullopt;
  if (!list || !list->IsArray()) return names;
  for (const JsonNode& name : list->GetItems()) {
    if (name.IsString()) names.insert(name.AsString());
  }
  return names;
}

JsonNode WithUnfinished(const JsonNode& attributes, const Names& names) {
  if (names.empty()) return CopyWithoutMember(attributes, kUnfinished);
  std::vector<JsonNode> items;
  for (const std::string& name : names) items.push_back(JsonNode::MakeString(name));
  return CopyWithMember(attributes, kUnfinished, JsonNode::MakeArray(items));
}

/// The arrays beside an array that its metadata name.
Names NamedBeside(const zarr::Array& array) {
  Names names;
  for (const auto& name : array.metadata().dimension_names) {
    if (name && IsNodeName(*name)) names.insert(*name);
  }
  const JsonNode& attributes = array.metadata().attributes;
  const auto mapping = attributes.IsObject() ? attributes.Find("grid_mapping") : std::nullopt;
  if (mapping && mapping->IsString() && IsNodeName(mapping->AsString())) names.insert(mapping->AsString());
  return names;
}

/// Coordinates and grid mappings have at most one dimension.
bool IsHelper(const OverviewBase& base, const std::string& path) {
  const auto array = base.resource().FindArray(path);
  return array && array->rank() <= 1;
}

/// Removes those that no array of the group names any more.
void RemoveHelpers(const OverviewBase& base, const std::string& group, Names names) {
  for (const zarr::Hierarchy::Child& child : base.resource().hierarchy().List(group)) {
    const std::string path = zarr::JoinKey(group, child.name);
    const auto other = child.kind == zarr::NodeKind::kArray ? base.resource().FindArray(path) : nullptr;
    if (!other || names.contains(child.name)) continue;
    for (const std::string& name : NamedBeside(*other)) names.erase(name);
  }
  for (const std::string& name : names) {
    const std::string path = zarr::JoinKey(group, name);
    if (IsHelper(base, path)) base.resource().DeleteNode(path);
  }
}

void RemoveIfEmpty(const OverviewBase& base, const std::string& group) {
  const zarr::Hierarchy& hierarchy = base.resource().hierarchy();
  if (!IsGroupForLevels(group) || hierarchy.Probe(group) != zarr::NodeKind::kGroup) return;
  const JsonNode attributes = CopyWithoutMember(AttributesOfGroup(base, group), kUnfinished);
  const bool has_attributes = attributes.IsObject() && !attributes.GetMembers().empty();
  if (!has_attributes && hierarchy.List(group).empty()) base.resource().DeleteNode(group);
}

}  // namespace

bool IsGroupForLevels(std::string_view group) {
  constexpr std::string_view kStart = "ovr_";
  const std::string name = NodeName(group);
  if (!name.starts_with(kStart) || !name.ends_with("x") || name.size() < kStart.size() + 2) return false;
  return std::all_of(name.begin() + kStart.size(), name.end() - 1, [](char c) { return c >= '0' && c <= '9'; });
}

void NoteUnfinished(const OverviewBase& base, const std::string& path) {
  const std::string group = ParentPath(path);
  zarr::Hierarchy& hierarchy = base.resource().Change();
  const JsonNode attributes = AttributesOfGroup(base, group);
  Names names = UnfinishedIn(attributes);
  if (!names.insert(NodeName(path)).second) return;
  const JsonNode changed = WithUnfinished(attributes.IsObject() ? attributes : JsonNode::MakeObject({}), names);
  hierarchy.Probe(group) ? hierarchy.SetAttributes(group, changed) : hierarchy.CreateGroup(group, changed);
}

bool IsUnfinished(const OverviewBase& base, const std::string& path) {
  return UnfinishedIn(AttributesOfGroup(base, ParentPath(path))).contains(NodeName(path));
}

void NoteFinished(const OverviewBase& base, const std::string& path) {
  const std::string group = ParentPath(path);
  const JsonNode attributes = AttributesOfGroup(base, group);
  Names names = UnfinishedIn(attributes);
  if (names.erase(NodeName(path)) > 0) base.resource().Change().SetAttributes(group, WithUnfinished(attributes, names));
}

void RemoveUnfinished(const OverviewBase& base, const std::string& group) {
  if (!UnfinishedIn(AttributesOfGroup(base, group)).contains(base.name())) return;
  const std::string path = zarr::JoinKey(group, base.name());
  if (base.resource().hierarchy().Probe(path) == zarr::NodeKind::kArray) return RemoveLevelArray(base, path);
  NoteFinished(base, path);
  RemoveIfEmpty(base, group);
}

void RemoveLevelArray(const OverviewBase& base, const std::string& path) {
  const std::string group = ParentPath(path);
  if (base.resource().hierarchy().Probe(path) == zarr::NodeKind::kArray) {
    const auto array = base.resource().FindArray(path);
    base.resource().DeleteNode(path);
    const bool has_helpers = array && group != base.group() && IsGroupForLevels(group);
    if (has_helpers) RemoveHelpers(base, group, NamedBeside(*array));
  }
  if (group == base.group()) return;
  NoteFinished(base, path);
  RemoveIfEmpty(base, group);
}

}  // namespace gdal_zarr
