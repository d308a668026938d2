// SPDX-License-Identifier: MIT
#include "driver/overviews/level_groups.h"

#include <algorithm>
#include <climits>
#include <set>
#include <utility>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/leftovers.h"
#include "driver/georeferencing/cf/cf_projection.h"
#include "driver/overviews/level_metadata.h"
#include "zarrlib/base/compiler/thread_value.h"
#include "zarrlib/base/text.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/hierarchy/formats/node_formats.h"
#include "zarrlib/hierarchy/removal/node_removal.h"
#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_locks.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;
using Names = std::set<std::string>;

constexpr std::string_view kGroupStart = "ovr_";
constexpr const char* kUnfinished = "unfinished_overviews";

JsonNode GetGroupAttributes(const SharedResource& resource, const std::string& group) {
  const zarr::Hierarchy& hierarchy = resource.hierarchy();
  const bool is_group = hierarchy.Probe(group) == zarr::NodeKind::kGroup;
  return is_group ? hierarchy.OpenGroup(group).attributes : JsonNode();
}

struct LockedPyramids {
  std::set<std::string> names;
};

/// Returns the arrays whose levels this thread is creating or removing.
std::set<std::string>& GetLockedPyramids() {
  return zarr::ThreadValue<LockedPyramids>::Get().names;
}

class PyramidLock final : public zarr::StoreLock {
 public:
  PyramidLock(std::string name, std::unique_ptr<zarr::StoreLock> lock)
      : name_(std::move(name)), lock_(std::move(lock)) {
    GetLockedPyramids().insert(name_);
  }
  ~PyramidLock() override { GetLockedPyramids().erase(name_); }
  PyramidLock(const PyramidLock&) = delete;
  PyramidLock& operator=(const PyramidLock&) = delete;

 private:
  std::string name_;
  std::unique_ptr<zarr::StoreLock> lock_;
};

Names FindUnfinished(const JsonNode& attributes) {
  Names names;
  const auto list = FindMember(attributes, kUnfinished);
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

/// Returns the names of arrays in an array's group that its metadata refers to.
Names FindNamedBeside(const zarr::ArrayMetadata& array) {
  Names names;
  for (const auto& name : array.dimension_names) {
    if (name && IsNodeName(*name)) names.insert(*name);
  }
  const auto mapping = FindMember(array.attributes, kGridMappingAttribute);
  if (mapping && mapping->IsString() && IsNodeName(mapping->AsString())) names.insert(mapping->AsString());
  return names;
}

/// Returns true if a node can be a coordinate array or a grid mapping: it has at most one dimension.
bool IsHelper(SharedResource& resource, const std::string& path) {
  const auto array = resource.finder().FindArray(path);
  return array && array->rank() <= 1;
}

/// Returns the names of the nodes that belong to a level's array: arrays that no other array of the group refers to.
Names FindHelpers(SharedResource& resource, const std::string& group, const std::string& level) {
  const auto array = resource.finder().FindArray(zarr::JoinKey(group, level));
  if (!array || !IsGroupForLevels(group)) return {};
  Names names = FindNamedBeside(array->metadata());
  for (const zarr::Hierarchy::Child& child : resource.hierarchy().List(group)) {
    const std::string path = zarr::JoinKey(group, child.name);
    const auto other = child.kind == zarr::NodeKind::kArray ? resource.finder().FindArray(path) : nullptr;
    if (!other || child.name == level || names.contains(child.name)) continue;
    for (const std::string& name : FindNamedBeside(other->metadata())) names.erase(name);
  }
  std::erase_if(names, [&](const std::string& name) { return !IsHelper(resource, zarr::JoinKey(group, name)); });
  return names;
}

/// Returns the names of the nodes that belonged to a level whose array is not there any more. Arrays of other names may
/// be anyone's.
Names FindHelpersOfLost(const LevelOwner& owner, const std::string& path) {
  const auto factor = FindLevelFactor(path);
  if (!factor || *factor > INT_MAX || !owner.make_level) return {};
  Names names = FindNamedBeside(owner.make_level(static_cast<int>(*factor)));
  names.insert({kUsualGridMapping, std::string(kUsualGridMapping) + "_" + owner.name()});
  std::erase_if(names, [&](const std::string& name) {
    return !IsHelper(owner.resource, zarr::JoinKey(GetParentPath(path), name));
  });
  return names;
}

/// Returns true if a group for levels contains only these nodes, so that it can be removed with them.
bool HoldsOnly(SharedResource& resource, const std::string& group, const Names& names) {
  if (!IsGroupForLevels(group)) return false;
  const JsonNode attributes = CopyWithoutMember(GetGroupAttributes(resource, group), kUnfinished);
  if (attributes.IsObject() && !attributes.GetMembers().empty()) return false;
  const auto children = resource.hierarchy().List(group);
  return std::ranges::all_of(children, [&](const auto& child) { return names.contains(child.name); });
}

/// Removes the array of a level in a group that was created for levels, and the coordinates and grid mappings that no
/// other array of this group uses. Returns false if the group went with them.
bool RemoveWithHelpers(SharedResource& resource, const std::string& path) {
  const std::string group = GetParentPath(path);
  const Names helpers = FindHelpers(resource, group, GetNodeName(path));
  Names names = helpers;
  names.insert(GetNodeName(path));
  if (HoldsOnly(resource, group, names)) {
    resource.DeleteNode(group);
    return false;
  }
  resource.DeleteNode(path);
  for (const std::string& name : helpers) resource.DeleteNode(zarr::JoinKey(group, name));
  return true;
}

void RemoveIfEmpty(SharedResource& resource, const std::string& group) {
  const zarr::Hierarchy& hierarchy = resource.hierarchy();
  if (!IsGroupForLevels(group) || hierarchy.Probe(group) != zarr::NodeKind::kGroup) return;
  const JsonNode attributes = CopyWithoutMember(GetGroupAttributes(resource, group), kUnfinished);
  const bool has_attributes = attributes.IsObject() && !attributes.GetMembers().empty();
  if (!has_attributes && hierarchy.List(group).empty()) resource.DeleteNode(group);
}

}  // namespace

bool IsGroupForLevels(std::string_view group) {
  const std::string name = GetNodeName(group);
  if (!name.starts_with(kGroupStart) || !name.ends_with("x") || name.size() < kGroupStart.size() + 2) return false;
  return std::all_of(name.begin() + kGroupStart.size(), name.end() - 1, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::uint64_t> FindLevelFactor(std::string_view path) {
  const std::string group = GetNodeName(GetParentPath(path));
  if (!IsGroupForLevels(group)) return std::nullopt;
  const auto factor = zarr::ParseNumber<std::uint64_t>(
      std::string_view(group).substr(kGroupStart.size(), group.size() - kGroupStart.size() - 1));
  return factor && *factor > 0 ? factor : std::nullopt;
}

LevelOwner MakeLevelOwner(const OverviewBase& base) {
  const auto make_level = [&base](int factor) { return MakeLevelMetadata(base, ComputeLevelShape(base, factor)); };
  return {base.resource(), base.array.array().path(), make_level};
}

std::unique_ptr<zarr::StoreLock> LockPyramid(SharedResource& resource, const std::string& array) {
  if (resource.is_on_network()) return nullptr;
  const zarr::Store& store = *resource.Change().store();
  const std::string folder = array + "/";
  std::string name = store.name() + "/" + folder;
  if (GetLockedPyramids().contains(name)) {
    throw zarr::Error(zarr::ErrorKind::kInvalidArgument, store.name(), array, "",
                      "the function that is told the progress cannot change the overviews that are being made");
  }
  return std::make_unique<PyramidLock>(std::move(name), zarr::LockFolder(store, folder));
}

void ChangeLevels(const OverviewBase& base, const std::function<void()>& change) {
  ChangeLevels(base.resource(), base.group(), change);
}

void ChangeLevels(SharedResource& resource, const std::string& home, const std::function<void()>& change) {
  zarr::EditableHierarchy& hierarchy = resource.Change();
  const auto locked = hierarchy.LockGroup(home);
  if (!locked) return change();
  const std::string prefix = home.empty() ? "" : home + "/";
  const auto listing = hierarchy.store()->List(prefix, {.freshness = zarr::Freshness::kNow});
  for (const std::string& name : listing ? listing->prefixes : std::vector<std::string>()) {
    const std::string group = zarr::JoinKey(home, name);
    // An array may have such a name. Its folder may be locked by LockPyramid, perhaps for this very call.
    if (!IsGroupForLevels(name) || hierarchy.Probe(group) == zarr::NodeKind::kArray) continue;
    hierarchy.LockGroup(group).reset();  // loads its stored state: the levels of other arrays in this group
  }
  change();
  hierarchy.waiting().Put();
}

void NoteUnfinished(SharedResource& resource, const std::string& path) {
  const std::string group = GetParentPath(path);
  zarr::EditableHierarchy& hierarchy = resource.Change();
  if (!hierarchy.Probe(group)) return hierarchy.CreateGroup(group, WithUnfinished(JsonNode(), {GetNodeName(path)}));
  hierarchy.EditAttributes(group, [&](const JsonNode& stored) {
    Names names = FindUnfinished(stored);
    names.insert(GetNodeName(path));
    return WithUnfinished(stored, names);
  });
}

bool IsUnfinished(const SharedResource& resource, const std::string& path) {
  return FindUnfinished(GetGroupAttributes(resource, GetParentPath(path))).contains(GetNodeName(path));
}

bool IsGroupWaiting(const SharedResource& resource, const std::string& path) {
  if (!resource.is_on_network()) return false;
  const std::vector<std::string> created = resource.hierarchy().editable()->CreatedNodes();
  return std::ranges::find(created, GetParentPath(path)) != created.end();
}

void NoteFinished(SharedResource& resource, const std::string& path) {
  if (!IsUnfinished(resource, path)) return;
  resource.Change().EditAttributes(GetParentPath(path), [&](const JsonNode& stored) {
    Names names = FindUnfinished(stored);
    names.erase(GetNodeName(path));
    return WithUnfinished(stored, names);
  });
}

void EraseOrphans(const LevelOwner& owner, const std::string& path) {
  const std::string group = GetNodeName(GetParentPath(path));
  zarr::Store& store = *owner.resource.Change().store();
  if (!IsGroupForLevels(group) || owner.resource.is_on_network() || !owner.make_level) return;
  if (zarr::GetEntryKind(store, path) != zarr::EntryKind::kFolder) return;
  const auto factor = FindLevelFactor(path);
  if (!factor || *factor > INT_MAX) return;
  std::vector<std::pair<std::string, JsonNode>> documents;
  for (const auto& document : zarr::MakeDocuments(owner.make_level(static_cast<int>(*factor)))) {
    documents.emplace_back(zarr::JoinKey(path, document.name), document.content);
  }
  if (store.Exists(documents.front().first)) return;  // the document makes it an array
  const auto leftovers = zarr::RemoveTree(store, path, zarr::NodeTree::FromDocuments(documents), {});
  WarnOfLeftovers(store.name(), leftovers);
}

void RemoveUnfinished(const LevelOwner& owner, const std::string& group) {
  if (!FindUnfinished(GetGroupAttributes(owner.resource, group)).contains(owner.name())) return;
  const std::string path = zarr::JoinKey(group, owner.name());
  if (owner.resource.hierarchy().Probe(path) == zarr::NodeKind::kArray) return RemoveLevelArray(owner, path);
  EraseOrphans(owner, path);
  // A failed removal may have removed the array, but not the nodes that belonged to it.
  const Names helpers = FindHelpersOfLost(owner, path);
  const bool may_go = group != owner.group() && !helpers.empty();
  if (may_go && HoldsOnly(owner.resource, group, helpers)) return owner.resource.DeleteNode(group);
  NoteFinished(owner.resource, path);
  RemoveIfEmpty(owner.resource, group);
}

void RemoveUnfinished(const LevelOwner& owner) {
  const std::string group = owner.group();
  for (const zarr::Hierarchy::Child& child : owner.resource.hierarchy().List(group)) {
    if (IsGroupForLevels(child.name)) RemoveUnfinished(owner, zarr::JoinKey(group, child.name));
  }
}

void RemoveLevelArray(const LevelOwner& owner, const std::string& path) {
  const std::string group = GetParentPath(path);
  if (owner.resource.hierarchy().Probe(path) != zarr::NodeKind::kArray) {
    EraseOrphans(owner, path);
  } else if (group == owner.group()) {
    owner.resource.DeleteNode(path);
  } else if (!RemoveWithHelpers(owner.resource, path)) {
    return;
  }
  if (group == owner.group()) return;
  NoteFinished(owner.resource, path);
  RemoveIfEmpty(owner.resource, group);
}

void RemoveLevelCoordinates(SharedResource& resource, const std::string& path, const std::string& name) {
  const std::string group = GetParentPath(path);
  if (!resource.hierarchy().Probe(zarr::JoinKey(group, name))) return;
  if (FindHelpers(resource, group, GetNodeName(path)).contains(name)) resource.DeleteNode(zarr::JoinKey(group, name));
}

}  // namespace gdal_zarr
