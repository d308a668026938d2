#include "driver/group.h"

#include <set>
#include <utility>

#include "driver/attribute.h"
#include "driver/dimension.h"
#include "driver/gdal_error.h"
#include "driver/md_array.h"

namespace gdal_zarr {
namespace {

bool IsHidden(const std::string& name, const zarr::JsonNode&) {
  return name.starts_with("_nczarr_") || name.starts_with("_NCZARR_");
}

}  // namespace

std::shared_ptr<Group> Group::Make(const std::shared_ptr<NodeContext>& context, const std::string& path) {
  return std::shared_ptr<Group>(new Group(context, path));
}

// GDAL calls a group without a parent "/".
Group::Group(std::shared_ptr<NodeContext> context, const std::string& path)
    : GDALGroup(path.empty() ? std::string() : GdalFullName(ParentPath(path)), NodeName(path)),
      context_(std::move(context)),
      path_(path) {
  if (!HoldsRootArray()) attributes_ = context_->hierarchy().OpenGroup(path_).attributes;
  const int format = static_cast<int>(context_->hierarchy().format());
  structural_info_.SetNameValue("ZARR_FORMAT", std::to_string(format).c_str());
  if (context_->hierarchy().consolidated()) structural_info_.SetNameValue("CONSOLIDATED", "YES");
}

zarr::JsonNode Group::attributes() const {
  if (!context_->writable() || HoldsRootArray()) return attributes_;
  return context_->hierarchy().OpenGroup(path_).attributes;
}

std::vector<std::string> Group::ChildNames(zarr::NodeKind kind) const {
  return Guard(std::vector<std::string>(), [&] {
    std::vector<std::string> names;
    if (HoldsRootArray()) {
      if (kind == zarr::NodeKind::kArray) names.push_back(context_->root_array_name());
      return names;
    }
    for (zarr::Hierarchy::Child& child : context_->hierarchy().List(path_)) {
      if (child.kind == kind) names.push_back(std::move(child.name));
    }
    return names;
  });
}

std::vector<std::string> Group::GetMDArrayNames(CSLConstList) const {
  return ChildNames(zarr::NodeKind::kArray);
}

std::vector<std::string> Group::GetGroupNames(CSLConstList) const {
  return ChildNames(zarr::NodeKind::kGroup);
}

std::shared_ptr<GDALMDArray> Group::OpenMDArray(const std::string& name, CSLConstList) const {
  return Guard(
      std::shared_ptr<GDALMDArray>(),
      [&]() -> std::shared_ptr<GDALMDArray> {
        if (HoldsRootArray()) return name == context_->root_array_name() ? MDArray::Make(context_, "") : nullptr;
        if (!IsNodeName(name)) return nullptr;
        const std::string path = zarr::JoinKey(path_, name);
        if (context_->hierarchy().Probe(path) != zarr::NodeKind::kArray) return nullptr;
        return MDArray::Make(context_, path);
      },
      Activity::kOpening);
}

std::shared_ptr<GDALGroup> Group::OpenGroup(const std::string& name, CSLConstList) const {
  return Guard(
      std::shared_ptr<GDALGroup>(),
      [&]() -> std::shared_ptr<GDALGroup> {
        if (HoldsRootArray() || !IsNodeName(name)) return nullptr;
        const std::string path = zarr::JoinKey(path_, name);
        if (context_->hierarchy().Probe(path) != zarr::NodeKind::kGroup) return nullptr;
        return Make(context_, path);
      },
      Activity::kOpening);
}

std::vector<std::shared_ptr<GDALDimension>> Group::GetDimensions(CSLConstList) const {
  return Guard(std::vector<std::shared_ptr<GDALDimension>>(), [this] {
    std::vector<std::shared_ptr<GDALDimension>> result;
    std::set<std::string> seen;
    for (const CreatedDimension& created : context_->CreatedDimensions(path_)) {
      result.push_back(MakeDimension(context_, path_, created));
      seen.insert(result.back()->GetFullName());
    }
    for (const std::string& name : ChildNames(zarr::NodeKind::kArray)) {
      const std::string path = HoldsRootArray() ? std::string() : zarr::JoinKey(path_, name);
      if (!context_->FindArray(path)) continue;  // the error belongs to opening it
      const std::shared_ptr<MDArray> array = MDArray::Make(context_, path);
      for (const std::shared_ptr<GDALDimension>& dimension : array->GetDimensions()) {
        const std::string& full_name = dimension->GetFullName();
        const std::string parent = "/" + ParentPath(std::string_view(full_name).substr(1));
        if (parent == GetFullName() && seen.insert(full_name).second) result.push_back(dimension);
      }
    }
    return result;
  });
}

std::shared_ptr<GDALAttribute> Group::GetAttribute(const std::string& name) const {
  return Guard(std::shared_ptr<GDALAttribute>(), [&]() -> std::shared_ptr<GDALAttribute> {
    if (IsHidden(name, attributes_)) return nullptr;
    return MakeAttribute(GetFullName(), attributes(), name, AttributeStoreFunction());
  });
}

std::vector<std::shared_ptr<GDALAttribute>> Group::GetAttributes(CSLConstList) const {
  return Guard(std::vector<std::shared_ptr<GDALAttribute>>(),
               [this] { return MakeAttributes(GetFullName(), attributes(), IsHidden, AttributeStoreFunction()); });
}

}  // namespace gdal_zarr
