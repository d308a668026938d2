// SPDX-License-Identifier: MIT
#include "driver/multidim/group.h"

#include <set>
#include <utility>

#include "driver/dataset/refused_nodes.h"
#include "driver/dataset/unlisted_nodes.h"
#include "driver/gdal/gdal_error.h"
#include "driver/multidim/attribute.h"
#include "driver/multidim/dimension.h"
#include "driver/multidim/md_array.h"
#include "driver/multidim/missing_node.h"
#include "zarrlib/hierarchy/editing/waiting_attributes.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

bool IsHidden(const std::string& name, const zarr::JsonNode&) {
  return IsNczarrAttribute(name);
}

}  // namespace

template <typename T>
std::shared_ptr<T> Group::MakeObject(const std::shared_ptr<SharedResource>& resource, const std::string& path) {
  std::shared_ptr<T> group(new T(resource, path));
  // Since GDAL 3.8, for SubsetDimensionFromSelection.
  if constexpr (requires { group->SetSelf(group); }) group->SetSelf(group);
  return group;
}

std::shared_ptr<Group> Group::Make(const std::shared_ptr<SharedResource>& resource, const std::string& path) {
  auto group = MakeObject<Group>(resource, path);
  if (!group->HoldsRootArray()) group->attributes_ = resource->hierarchy().OpenGroup(path).attributes;
  if (resource->writable()) resource->edits().live_objects.Add(group);
  return group;
}

std::shared_ptr<Group> Group::MakeUnread(const std::shared_ptr<SharedResource>& resource, const std::string& path) {
  auto group = MakeObject<Group>(resource, path);
  resource->edits().live_objects.Add(group);
  return group;
}

// GDAL expects "/" as the name of a group without a parent.
Group::Group(std::shared_ptr<SharedResource> resource, const std::string& path)
    : GDALGroup(path.empty() ? std::string() : MakeGdalFullName(GetParentPath(path)), GetNodeName(path)),
      LiveObject(path),
      resource_(std::move(resource)) {
  const zarr::ZarrFormat format = resource_->hierarchy().format();
  const bool is_draft = format == zarr::ZarrFormat::kV3Draft;
  structural_info_.SetNameValue("ZARR_FORMAT",
                                is_draft ? "3 (draft)" : std::to_string(static_cast<int>(format)).c_str());
  if (resource_->hierarchy().consolidated()) structural_info_.SetNameValue("CONSOLIDATED", "YES");
}

zarr::JsonNode Group::attributes() const {
  CheckNotDeleted(GetFullName());
  resource_->edits().live_objects.SavePending(node());
  if (!resource_->writable() || HoldsRootArray()) return attributes_;
  return resource_->hierarchy().OpenGroup(node()).attributes;
}

std::optional<zarr::JsonNode> Group::FindAttribute(const std::string& name) const {
  CheckNotDeleted(GetFullName());
  resource_->edits().live_objects.SavePending(node());
  auto waiting = resource_->hierarchy().waiting_attributes().FindAttribute(node(), name);
  return waiting.is_known ? std::move(waiting.attribute) : zarr::FindMember(attributes(), name);
}

std::vector<std::string> Group::ListChildNames(zarr::NodeKind kind) const {
  const auto list = [&] {
    CheckNotDeleted(GetFullName());
    std::vector<std::string> names;
    if (HoldsRootArray()) {
      if (kind == zarr::NodeKind::kArray) names.push_back(resource_->root_array_name());
      return names;
    }
    std::vector<zarr::Hierarchy::Child> children = resource_->hierarchy().List(node());
    if (children.empty()) WarnIfUnlisted(*resource_);
    for (zarr::Hierarchy::Child& child : children) {
      if (child.kind == kind) names.push_back(std::move(child.name));
    }
    return names;
  };
  return Guard(std::vector<std::string>(), [&] { return RefusedNodes::NoteIfUnread(GetFullName(), list); });
}

std::vector<std::string> Group::GetMDArrayNames(CSLConstList) const {
  return ListChildNames(zarr::NodeKind::kArray);
}

std::vector<std::string> Group::GetGroupNames(CSLConstList) const {
  return ListChildNames(zarr::NodeKind::kGroup);
}

zarr::Error Group::MakeMissingChildError(const std::string& name, zarr::NodeKind kind) const {
  const zarr::Hierarchy& hierarchy = resource_->hierarchy();
  const std::string& store = hierarchy.store()->name();
  if (!IsNodeName(name)) {
    return zarr::Error(zarr::ErrorKind::kNotFound, store, node(), "",
                       zarr::FormatExpectedGot("the name of an array or a group in this group", "\"" + name + "\"") +
                           "; a path is for OpenMDArrayFromFullname and OpenGroupFromFullname");
  }
  if (HoldsRootArray()) {
    return zarr::Error(zarr::ErrorKind::kNotFound, store, name, "",
                       "the store is an array, whose name is \"" + resource_->root_array_name() + "\"");
  }
  return MakeMissingNodeError(hierarchy, zarr::JoinKey(node(), name), kind);
}

std::optional<std::string> Group::FindChild(const std::string& name, zarr::NodeKind kind) const {
  CheckNotDeleted(GetFullName());
  std::optional<std::string> path;
  if (HoldsRootArray()) {
    if (kind == zarr::NodeKind::kArray && name == resource_->root_array_name()) path = "";
  } else if (IsNodeName(name) && resource_->hierarchy().Probe(zarr::JoinKey(node(), name)) == kind) {
    path = zarr::JoinKey(node(), name);
  }
  // A copy asks for each array before it makes it.
  if (!path && !resource_->edits().group_copy.is_running()) NoteMissingNode(MakeMissingChildError(name, kind));
  // GDAL opens groups on the path to an array.
  if (path && kind == zarr::NodeKind::kArray) ForgetMissingNode();
  return path;
}

std::shared_ptr<GDALMDArray> Group::OpenMDArray(const std::string& name, CSLConstList) const {
  const auto open = [&]() -> std::shared_ptr<GDALMDArray> {
    if (resource_->edits().group_copy.HidesHelper(zarr::JoinKey(node(), name))) return nullptr;
    const auto path = FindChild(name, zarr::NodeKind::kArray);
    return path ? MDArray::Make(resource_, *path) : nullptr;
  };
  return Guard(
      std::shared_ptr<GDALMDArray>(),
      [&] { return RefusedNodes::NoteIfUnread(MakeGdalFullName(zarr::JoinKey(node(), name)), open); },
      Activity::kOpening);
}

std::shared_ptr<GDALGroup> Group::OpenGroup(const std::string& name, CSLConstList) const {
  const auto open = [&]() -> std::shared_ptr<GDALGroup> {
    const auto path = FindChild(name, zarr::NodeKind::kGroup);
    return path ? Make(resource_, *path) : nullptr;
  };
  return Guard(
      std::shared_ptr<GDALGroup>(),
      [&] { return RefusedNodes::NoteIfUnread(MakeGdalFullName(zarr::JoinKey(node(), name)), open); },
      Activity::kOpening);
}

std::vector<std::string> Group::ListArrayPaths() const {
  std::vector<std::string> paths;
  for (const std::string& name : ListChildNames(zarr::NodeKind::kArray)) {
    paths.push_back(HoldsRootArray() ? std::string() : zarr::JoinKey(path(), name));
  }
  return paths;
}

std::shared_ptr<GDALDimension> Group::MakeCreatedDimension(const CreatedDimension& created) const {
  const FoundDimension found{node(), created.name, true, created.size, {created.type, created.direction}, {}, {}};
  return Dimension::Make(resource_, found, &OpenIndexingVariable);
}

std::vector<std::shared_ptr<GDALDimension>> Group::FindDimensionsOf(const std::string& array_path) const {
  std::vector<std::shared_ptr<GDALDimension>> found;
  if (!resource_->finder().FindArray(array_path)) return found;
  const std::shared_ptr<MDArray> array = MDArray::Make(resource_, array_path);
  for (const std::shared_ptr<GDALDimension>& dimension : array->GetDimensions()) {
    const std::string& full_name = dimension->GetFullName();
    if (!full_name.starts_with('/')) continue;  // an unnamed dimension, which only this array has
    if ("/" + GetParentPath(std::string_view(full_name).substr(1)) == GetFullName()) found.push_back(dimension);
  }
  return found;
}

std::vector<std::string> Group::FindDimensionSources() const {
  if (!resource_->writable()) return ListArrayPaths();
  const auto get_names = [this](const std::string& array_path) {
    std::vector<std::string> names;
    for (const auto& dimension : FindDimensionsOf(array_path)) {
      const bool is_told = resource_->edits().dimensions.Has(node(), dimension->GetName());
      if (!is_told) names.push_back(dimension->GetFullName());
    }
    return names;
  };
  return resource_->edits().dimension_sources.Find(
      resource_->hierarchy(), node(), [this] { return ListArrayPaths(); }, get_names);
}

std::vector<std::shared_ptr<GDALDimension>> Group::GetDimensions(CSLConstList) const {
  return Guard(std::vector<std::shared_ptr<GDALDimension>>(), [this] {
    CheckNotDeleted(GetFullName());
    std::vector<std::shared_ptr<GDALDimension>> result;
    std::set<std::string> seen;
    for (const CreatedDimension& created : resource_->edits().dimensions.Get(node())) {
      result.push_back(MakeCreatedDimension(created));
      seen.insert(result.back()->GetFullName());
    }
    for (const std::string& array_path : FindDimensionSources()) {
      for (const auto& dimension : FindDimensionsOf(array_path)) {
        if (seen.insert(dimension->GetFullName()).second) result.push_back(dimension);
      }
    }
    return result;
  });
}

std::shared_ptr<GDALAttribute> Group::GetAttribute(const std::string& name) const {
  return Guard(std::shared_ptr<GDALAttribute>(), [&]() -> std::shared_ptr<GDALAttribute> {
    CheckNotDeleted(GetFullName());
    if (IsHidden(name, attributes_)) return nullptr;
    return MakeAttribute(GetParentOfAttributes(), name, FindAttribute(name), GetHomeOfAttributes());
  });
}

std::vector<std::shared_ptr<GDALAttribute>> Group::GetAttributes(CSLConstList) const {
  return Guard(std::vector<std::shared_ptr<GDALAttribute>>(), [this] {
    CheckNotDeleted(GetFullName());
    return MakeAttributes(GetParentOfAttributes(), attributes(), IsHidden, GetHomeOfAttributes());
  });
}

std::shared_ptr<GDALGroup> MakeRootGroup(const std::shared_ptr<SharedResource>& resource, int open_flags) {
  if ((open_flags & GDAL_OF_MULTIDIM_RASTER) == 0) return nullptr;
  return Guard(std::shared_ptr<GDALGroup>(), [&]() -> std::shared_ptr<GDALGroup> { return Group::Make(resource, ""); });
}

}  // namespace gdal_zarr
