// SPDX-License-Identifier: MIT
#include "driver/overviews/group_place.h"

#include <algorithm>
#include <string>
#include <vector>

#include "driver/dataset/attribute_names.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/geozarr/conventions_list.h"
#include "driver/georeferencing/geozarr/multiscales.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

constexpr const char* kProjPrefix = "proj:";
constexpr const char* kSpatialPrefix = "spatial:";

bool HasAny(const JsonNode& attributes, const char* prefix) {
  if (!attributes.IsObject()) return false;
  const auto members = attributes.GetMembers();
  return std::any_of(members.begin(), members.end(), [&](const auto& m) { return m.first.starts_with(prefix); });
}

/// Returns true if an array attribute belongs to its georeferencing.
bool SaysPlace(const std::string& name) {
  if (name.starts_with(kProjPrefix) || name.starts_with(kSpatialPrefix)) return true;
  return name == kCrsAttribute || name == kGeoTransformAttribute || name == kGridMappingAttribute ||
         name == GDALMD_AREA_OR_POINT;
}

/// Returns the properties that a group states of its rasters, and those that only the base's own attributes could
/// state.
JsonNode WithOwnProperties(const OverviewBase& base, const JsonNode& group) {
  const GeoTransform t = GetRegisteredTransform(base.place);
  const zarr::Shape& shape = base.array.array().shape();
  const JsonNode extent =
      JsonNode::MakeArray({JsonNode::MakeUnsigned(shape[base.axes.y]), JsonNode::MakeUnsigned(shape[base.axes.x])});
  JsonNode result = CopyWithMember(group, "spatial:transform_type", JsonNode::MakeString("affine"));
  result = CopyWithMember(result, "spatial:transform", zarr::MakeNumberList({t[1], t[2], t[0], t[4], t[5], t[3]}));
  result = CopyWithMember(result, "spatial:shape", extent);
  return CopyWithMember(result, GDALMD_AREA_OR_POINT, JsonNode::MakeString(base.place.is_point ? "Point" : "Area"));
}

/// Returns true if all georeferencing attributes of `array` have the same values in `other`, or, if they are missing
/// there, in `stated`.
bool HasPlaceOf(const zarr::Array& other, const zarr::Array& array, const JsonNode& stated = {}) {
  const JsonNode& attributes = array.metadata().attributes;
  if (!attributes.IsObject()) return true;
  for (const auto& [name, value] : attributes.GetMembers()) {
    if (!SaysPlace(name)) continue;
    auto same = FindMember(other.metadata().attributes, name);
    if (!same) same = FindMember(stated, name);
    if (!same || !(*same == value)) return false;
  }
  return true;
}

bool HasAxis(const zarr::Array& array, const std::string& name, std::uint64_t length) {
  const auto& names = array.metadata().dimension_names;
  const auto axis = std::find(names.begin(), names.end(), std::optional(name));
  return axis != names.end() && array.shape()[static_cast<std::size_t>(axis - names.begin())] == length;
}

/// Returns true if all other rasters directly in the group have the base's axes, and either its georeferencing
/// attributes or what `group` states of them.
bool HoldsForAll(const OverviewBase& base, const std::string& y_name, const std::string& x_name,
                 const JsonNode& group) {
  const JsonNode stated = WithOwnProperties(base, group);
  const zarr::Array& array = base.array.array();
  for (const zarr::Hierarchy::Child& child : base.resource().hierarchy().List(base.group())) {
    if (child.kind != zarr::NodeKind::kArray || child.name == base.name()) continue;
    const FoundNode found = base.resource().finder().LookFor(zarr::JoinKey(base.group(), child.name));
    if (found.broken) return false;
    if (!found.array || found.array->rank() < 2) continue;
    if (!HasAxis(*found.array, y_name, array.shape()[base.axes.y]) ||
        !HasAxis(*found.array, x_name, array.shape()[base.axes.x]) || !HasPlaceOf(*found.array, array) ||
        !HasPlaceOf(array, *found.array, stated)) {
      return false;
    }
  }
  return true;
}

/// Lists the attributes of `after` that are missing in `before`, without the declarations.
std::vector<JsonNode> ListNew(const JsonNode& before, const JsonNode& after) {
  std::vector<JsonNode> names;
  for (const auto& [name, value] : after.GetMembers()) {
    if (name != kConventionsAttribute && !before.Has(name)) names.push_back(JsonNode::MakeString(name));
  }
  return names;
}

JsonNode WithoutUnused(const JsonNode& attributes, const char* prefix, const ZarrConvention& convention) {
  return HasAny(attributes, prefix) ? attributes : WithoutConvention(attributes, convention);
}

}  // namespace

JsonNode WithGroupPlace(const OverviewBase& base, const JsonNode& attributes) {
  if (!base.place.transform || HasAny(attributes, kProjPrefix) || HasAny(attributes, kSpatialPrefix) ||
      Declares(attributes, kProjConvention) || Declares(attributes, kSpatialConvention)) {
    return attributes;
  }
  const zarr::Array& array = base.array.array();
  const auto& names = array.metadata().dimension_names;
  if (names.size() != array.rank() || !names[base.axes.y] || !names[base.axes.x]) return attributes;
  const std::string& y_name = *names[base.axes.y];
  const std::string& x_name = *names[base.axes.x];
  JsonNode result = base.place.srs ? WithProj(attributes, *base.place.srs) : attributes;
  result =
      WithSpatialExtent(result, y_name, x_name, {array.shape()[base.axes.y], array.shape()[base.axes.x]}, base.place);
  if (!HoldsForAll(base, y_name, x_name, result)) return attributes;
  const JsonNode written = JsonNode::MakeArray(ListNew(attributes, result));
  return CopyWithMember(result, kMultiscalesAttribute,
                        CopyWithMember(result.At(kMultiscalesAttribute), kWrittenWithLayout, written));
}

JsonNode WithoutGroupPlace(JsonNode attributes) {
  const auto multiscales = FindMember(attributes, kMultiscalesAttribute);
  const auto written = multiscales ? FindMember(*multiscales, kWrittenWithLayout) : std::nullopt;
  if (!written || !written->IsArray()) return attributes;
  for (const JsonNode& name : written->GetItems()) {
    const bool is_place = name.IsString() && SaysPlace(name.AsString());
    if (is_place) attributes = CopyWithoutMember(attributes, name.AsString());
  }
  attributes = WithoutUnused(attributes, kProjPrefix, kProjConvention);
  attributes = WithoutUnused(attributes, kSpatialPrefix, kSpatialConvention);
  return CopyWithMember(attributes, kMultiscalesAttribute, CopyWithoutMember(*multiscales, kWrittenWithLayout));
}

JsonNode WithoutLayout(const JsonNode& attributes) {
  JsonNode result = WithoutGroupPlace(attributes);
  if (!Declares(result, kMultiscalesConvention)) return result;
  return WithoutConvention(CopyWithoutMember(result, kMultiscalesAttribute), kMultiscalesConvention);
}

}  // namespace gdal_zarr
