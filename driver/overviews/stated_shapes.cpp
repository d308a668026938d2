// SPDX-License-Identifier: MIT
#include "driver/overviews/stated_shapes.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/dataset/editable_array.h"
#include "driver/georeferencing/geozarr/conventions_list.h"
#include "driver/georeferencing/geozarr/multiscales.h"
#include "driver/overviews/find_overviews.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr const char* kShapeMember = "spatial:shape";
constexpr const char* kBoxMember = "spatial:bbox";
constexpr const char* kNamesMember = "spatial:dimensions";

/// A resized array.
class Resized {
 public:
  Resized(SharedResource& resource, const zarr::Array& before, const zarr::Shape& shape)
      : resource_(resource), before_(before), shape_(shape), group_(GetParentPath(before.path())) {
    names_ = FindMember(before.metadata().attributes, kNamesMember);
    if (!names_) names_ = FindMember(resource.finder().FindGroupAttributes(group_), kNamesMember);
  }
  void UpdateArray() const;
  void UpdateGroup() const;
  void UpdateLayouts() const;

 private:
  /// Returns the axes of a list of lengths; none if they are not known.
  std::vector<std::size_t> FindAxes(std::size_t count) const;
  /// Returns attributes, or an entry of a layout, with the new shape. `of_group`: that of all arrays of the group.
  JsonNode WithShape(const JsonNode& holder, bool of_group) const;
  JsonNode WithShapeInLayout(const std::string& group, const JsonNode& attributes) const;
  void Edit(const std::string& path, const JsonNode& known,
            const std::function<JsonNode(const JsonNode& stored)>& change) const;
  void WarnOfBox(const std::string& path, const JsonNode& attributes) const;

  SharedResource& resource_;
  const zarr::Array& before_;
  const zarr::Shape& shape_;
  const std::string group_;
  std::optional<JsonNode> names_;
};

std::vector<std::size_t> Resized::FindAxes(std::size_t count) const {
  std::vector<std::size_t> axes;
  const std::size_t rank = before_.rank();
  if (count < 2 || count > rank) return axes;
  const bool has_names = names_ && names_->IsArray() && names_->size() == count;
  for (std::size_t i = 0; i < count; ++i) axes.push_back(rank - count + i);
  if (!has_names) return axes;
  const auto& dimensions = before_.metadata().dimension_names;
  for (std::size_t i = 0; i < count; ++i) {
    const JsonNode name = (*names_)[i];
    const auto is_it = [&](const auto& known) { return known && name.IsString() && *known == name.AsString(); };
    const auto found = std::ranges::find_if(dimensions, is_it);
    if (found == dimensions.end()) return {};
    axes[i] = static_cast<std::size_t>(found - dimensions.begin());
  }
  return axes;
}

JsonNode Resized::WithShape(const JsonNode& holder, bool of_group) const {
  const auto list = FindMember(holder, kShapeMember);
  const std::vector<std::size_t> axes = list && list->IsArray() ? FindAxes(list->size()) : std::vector<std::size_t>();
  const auto& dimensions = before_.metadata().dimension_names;
  std::vector<JsonNode> lengths;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = axes[i];
    const bool is_named = axis < dimensions.size() && dimensions[axis];
    if ((of_group && !is_named) || !((*list)[i] == JsonNode::MakeUnsigned(before_.shape()[axis]))) return holder;
    lengths.push_back(JsonNode::MakeUnsigned(shape_[axis]));
  }
  return lengths.empty() ? holder : CopyWithMember(holder, kShapeMember, JsonNode::MakeArray(lengths));
}

void Resized::Edit(const std::string& path, const JsonNode& known,
                   const std::function<JsonNode(const JsonNode& stored)>& change) const {
  if (!known.IsObject() || change(known) == known) return;
  resource_.Change().EditAttributes(path, change);
  const auto object = resource_.edits().objects.Find(path);
  if (object) object->Replace(resource_.hierarchy().OpenArray(path));
}

void Resized::WarnOfBox(const std::string& path, const JsonNode& attributes) const {
  const std::vector<std::size_t> axes = FindAxes(2);
  const bool is_other =
      std::ranges::any_of(axes, [&](std::size_t axis) { return before_.shape()[axis] != shape_[axis]; });
  if (!is_other || !FindMember(attributes, kBoxMember)) return;
  resource_.WarnOnce(MakeGdalFullName(path) + ": " + kBoxMember + " is that of the shape before a resize");
}

void Resized::UpdateArray() const {
  const JsonNode& known = before_.metadata().attributes;
  Edit(before_.path(), known, [this](const JsonNode& stored) { return WithShape(stored, false); });
  WarnOfBox(before_.path(), known);
}

void Resized::UpdateGroup() const {
  const JsonNode known = resource_.finder().FindGroupAttributes(group_);
  Edit(group_, known, [this](const JsonNode& stored) { return WithShape(stored, true); });
  WarnOfBox(group_, known);
}

JsonNode Resized::WithShapeInLayout(const std::string& group, const JsonNode& attributes) const {
  const auto multiscales = FindMember(attributes, kMultiscalesAttribute);
  const auto layout = multiscales ? FindMember(*multiscales, "layout") : std::nullopt;
  if (!layout || !layout->IsArray() || !Declares(attributes, kMultiscalesConvention)) return attributes;
  std::vector<JsonNode> entries = layout->GetItems();
  for (JsonNode& entry : entries) {
    const std::string path = zarr::JoinKey(group, ReadLevel(entry).asset);
    const bool of_group = path == group_;
    if (of_group || path == before_.path()) entry = WithShape(entry, of_group);
  }
  return CopyWithMember(attributes, kMultiscalesAttribute,
                        CopyWithMember(*multiscales, "layout", JsonNode::MakeArray(entries)));
}

void Resized::UpdateLayouts() const {
  std::string group = group_;
  for (int steps = 0; steps < kMostGroupsAbove; ++steps) {
    Edit(group, resource_.finder().FindGroupAttributes(group),
         [&](const JsonNode& stored) { return WithShapeInLayout(group, stored); });
    if (group.empty()) return;
    group = GetParentPath(group);
  }
}

}  // namespace

void UpdateStatedShapes(SharedResource& resource, const zarr::Array& before, const zarr::Shape& shape) {
  if (before.rank() < 2 || before.shape() == shape || before.path().empty()) return;
  try {
    const Resized resized(resource, before, shape);
    resized.UpdateArray();
    if (resource.is_on_network() && !resource.hierarchy().consolidated()) return;  // each group would take a request
    resized.UpdateGroup();
    resized.UpdateLayouts();
  } catch (const zarr::Error& error) {
    resource.WarnOnce(MakeGdalFullName(before.path()) + ": " + kShapeMember +
                      " is not updated after a resize: " + error.what());
  }
}

}  // namespace gdal_zarr
