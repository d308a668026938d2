// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "driver/cf/attribute_number.h"
#include "driver/cf/unsigned_attribute.h"
#include "driver/dataset/attribute_names.h"
#include "driver/dataset/editable_array.h"
#include "driver/dataset/node_paths.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/georeferencing/axis_claim.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/coordinates/axis_words.h"
#include "driver/georeferencing/coordinates/coordinate_arrays.h"
#include "driver/georeferencing/coordinates/coordinate_axis.h"
#include "driver/georeferencing/coordinates/coordinate_values.h"
#include "driver/georeferencing/coordinates/regular_axis.h"
#include "driver/georeferencing/other_arrays.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/types/type_map.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// Returns true if the array's type is as precise for these coordinates as it was for the present ones, or holds them
/// to a millionth of a pixel.
bool CanHold(const GeoTarget& target, const CoordinateAxis& axis, const zarr::Array& array) {
  constexpr double kMostPixels = 1e-6;
  const zarr::DataType type = GetShownType(array);
  if (type.kind == zarr::DataType::Kind::kFloat && type.size == sizeof(double)) return true;
  const double rounding = FindRounding(type, MakeValues(axis), axis.step);
  if (rounding <= kMostPixels) return true;
  const auto present = CoordinateValues::Read(target.array.OpenOther(axis.path)->gdal_array());
  const std::size_t last = present.size() - 1;
  if (present.size() < 2 || present[0] == present[last]) return false;
  const double step = (present[last] - present[0]) / static_cast<double>(last);
  return rounding <= std::max(present.GetRounding(0), present.GetRounding(last)) / std::fabs(step);
}

std::shared_ptr<const zarr::Array> CreateAxis(const GeoTarget& target, const CoordinateAxis& axis,
                                              const JsonNode& attributes) {
  return CreateNumbers(target.array, axis.path, {{axis.name, axis.size}}, attributes);
}

/// Makes the array for bounds of moved coordinates, if there are bounds, for numbers of any precision.
std::shared_ptr<const zarr::Array> MakeBounds(const GeoTarget& target, const CoordinateAxis& axis) {
  const auto bounds = target.moves ? FindBounds(target, axis) : nullptr;
  if (!bounds || IsUsedByOthers(target, axis)) return nullptr;
  const JsonNode attributes = WithoutPacking(bounds->metadata().attributes);
  const auto& names = bounds->metadata().dimension_names;
  const std::string ends = names.size() > 1 ? names[1].value_or("bnds") : "bnds";
  const std::string path = bounds->path();
  target.array.resource()->DeleteNode(path);
  return CreateNumbers(target.array, path, {{axis.name, axis.size}, {ends, 2}}, attributes);
}

void WriteBounds(const CoordinateAxis& axis, const std::shared_ptr<const zarr::Array>& array) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < axis.size; ++i) {
    for (const double end : {-0.5, 0.5}) values.push_back(axis.first + (static_cast<double>(i) + end) * axis.step);
  }
  WriteNumbers(array, values);
}

void WriteValues(const GeoTarget& target, const CoordinateAxis& axis, const std::shared_ptr<const zarr::Array>& array) {
  const std::vector<double> values = MakeValues(axis);
  WriteNumbers(array, values);
  target.array.resource()->edits().objects.NoteCoordinates(axis.path, values);
}

/// Irregular coordinates carry more information than a geotransform can.
void WarnOfIrregular(const GeoTarget& target, const CoordinateAxis& axis) {
  if (axis.size < 3 || ReadPixelEdges(&target.array.OpenOther(axis.path)->gdal_array(), nullptr)) return;
  target.array.resource()->WarnOnce(MakeGdalFullName(axis.path) +
                                    ": these coordinates were not regular; they are overwritten by the regular ones of "
                                    "the geotransform");
}

/// Creates the array of the axis's name for the coordinates if it is missing. Replaces an array whose packing or type
/// the coordinates do not fit. Returns the array, or null if it already holds the coordinates.
std::shared_ptr<const zarr::Array> MakeArray(const GeoTarget& target, const CoordinateAxis& axis) {
  zarr::EditableHierarchy& hierarchy = target.array.resource()->Change();
  std::shared_ptr<const zarr::Array> array = target.array.resource()->finder().FindArray(axis.path);
  const bool fits = array && array->rank() == 1 && array->shape()[0] == axis.size;
  if (hierarchy.Probe(axis.path) && !fits) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, hierarchy.store()->name(), axis.path, "",
                      "another node is where the coordinates of " + target.array.gdal_array().GetFullName() +
                          " belong; give the array's dimensions other names");
  }
  if (array && HoldsSameCoordinates(target, axis)) return nullptr;
  if (array && (IsPackedAxis(*array) || !CanHold(target, axis, *array))) {
    const JsonNode attributes = WithoutPacking(array->metadata().attributes);
    target.array.resource()->DeleteNode(axis.path);
    array = CreateAxis(target, axis, attributes);
  } else if (!array) {
    array = CreateAxis(target, axis, JsonNode::MakeObject({{"axis", JsonNode::MakeString(axis.letter)}}));
  } else {
    WarnOfIrregular(target, axis);
  }
  return array;
}

[[noreturn]] void RefuseShared(const GeoTarget& target, const CoordinateAxis& axis, const std::string& why) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, target.array.array().store().name(), axis.path, "",
                    "other arrays use these coordinates too, " + why);
}

/// Returns the coordinate array that must be removed if its coordinates are no longer correct, or null if there is
/// none. Next to a transform that does not move, coordinates are as correct as they were.
std::shared_ptr<const zarr::Array> FindRemovable(const GeoTarget& target, const CoordinateAxis& axis) {
  if (!target.moves) return nullptr;
  const auto array = target.array.resource()->finder().FindArray(axis.path);
  const bool is_axis = array && array->rank() == 1 && axis.path != target.array.array().path();
  return is_axis ? array : nullptr;
}

bool HasUnit(const GeoTarget& target, const CoordinateAxis& axis) {
  const auto array = target.array.resource()->finder().FindArray(axis.path);
  return array && FindMember(array->metadata().attributes, kUnitsAttribute);
}

/// Returns true if the CRS of another array along the axis is not in the unit of `srs`: without a unit, coordinates are
/// read in that of each array's CRS.
bool IsInOtherUnitElsewhere(const GeoTarget& target, const CoordinateAxis& axis, const OGRSpatialReference& srs) {
  const ErrorCollector hidden_errors;  // of arrays that the user did not open
  return AnyPath(target, [&](const std::string& path) {
    const FoundNode found =
        path == target.array.array().path() ? FoundNode() : target.array.resource()->finder().LookFor(path);
    if (!found.array || found.array->rank() < 2 || !HasDimension(found.array->metadata(), axis.name)) return false;
    const auto other = target.array.OpenOther(path)->gdal_array().GetSpatialRef();
    if (!other) return false;
    return other->IsGeographic() != srs.IsGeographic() || other->GetLinearUnits() != srs.GetLinearUnits();
  });
}

/// Returns true if other arrays get or lose a CRS when their coordinates are described as those of another one: angles
/// imply a CRS by themselves.
bool WouldImplyOther(const GeoTarget& target, const CoordinateAxis (&axes)[2], const OGRSpatialReference& srs) {
  const auto& dimensions = target.array.gdal_array().GetDimensions();
  const bool implies = ReadSpatialRefOfAxes(*dimensions[target.axes.x], *dimensions[target.axes.y]) != nullptr;
  return implies != (srs.IsGeographic() != 0) &&
         std::ranges::any_of(axes, [&](const CoordinateAxis& axis) { return IsUsedByOthers(target, axis); });
}

/// Returns true, with a warning, if other arrays lose their CRS or their geotransform when their coordinates are
/// described as those of this CRS.
bool WouldChangeOthers(const GeoTarget& target, const OGRSpatialReference& srs) {
  if (target.array.resource()->edits().group_copy.is_running()) return false;
  const CoordinateAxis axes[] = {MakeAxis(target, target.axes.x), MakeAxis(target, target.axes.y)};
  if (!std::ranges::all_of(axes, [&](const CoordinateAxis& axis) { return IsThere(target, axis); })) return false;
  const auto would_get_unit = [&](const CoordinateAxis& axis) {
    return srs.IsProjected() && !HasUnit(target, axis) && IsInOtherUnitElsewhere(target, axis, srs);
  };
  if (!WouldImplyOther(target, axes, srs) && std::ranges::none_of(axes, would_get_unit)) return false;
  target.array.resource()->WarnOnce(MakeGdalFullName(axes[0].path) + ", " + MakeGdalFullName(axes[1].path) +
                                    ": these coordinates are not described as those of the CRS " + srs.GetName() +
                                    ", because other arrays use them too, whose CRS would change");
  return true;
}

bool HasPlaceForCoordinates(const GeoTarget& target) {
  return !target.array.array().path().empty() && target.axes.y < target.array.gdal_array().GetDimensions().size();
}

void RenameAxes(const GeoTarget& target, const std::string& x, const std::string& y) {
  std::vector<std::string> names;
  for (const auto& dimension : target.array.gdal_array().GetDimensions()) names.push_back(dimension->GetName());
  names[target.axes.x] = x;
  names[target.axes.y] = y;
  target.array.RenameDimensions(names);
}

/// Switches the array to the axes with the usual names, if its own do not have coordinates and those of the usual axes
/// are correct for it: "lon" and "lat" for an array with the axes "a_lon" and "a_lat". Returns true if it did so.
bool ShareAxes(const GeoTarget& target, const CoordinateAxis& x, const CoordinateAxis& y) {
  if (IsThere(target, x) || IsThere(target, y)) return false;
  const std::string group = GetParentPath(target.array.array().path());
  for (std::size_t end = x.name.find('_'); end != std::string::npos; end = x.name.find('_', end + 1)) {
    if (y.name.compare(0, end + 1, x.name, 0, end + 1) != 0) return false;
    CoordinateAxis usual_x = x;
    CoordinateAxis usual_y = y;
    usual_x.name = x.name.substr(end + 1);
    usual_y.name = y.name.substr(end + 1);
    if (usual_x.name.empty() || usual_y.name.empty()) return false;
    usual_x.path = zarr::JoinKey(group, usual_x.name);
    usual_y.path = zarr::JoinKey(group, usual_y.name);
    if (!HoldsSameCoordinates(target, usual_x) || !HoldsSameCoordinates(target, usual_y)) continue;
    if (AreOfOtherSrs(target, usual_x) || AreOfOtherSrs(target, usual_y)) continue;
    RenameAxes(target, usual_x.name, usual_y.name);
    return true;
  }
  return false;
}

/// Gives the array its own axes.
void SeparateAxes(const GeoTarget& target) {
  const auto& dimensions = target.array.gdal_array().GetDimensions();
  const std::string start = target.array.gdal_array().GetName() + "_";
  RenameAxes(target, start + dimensions[target.axes.x]->GetName(), start + dimensions[target.axes.y]->GetName());
}

bool HasNameOfAngles(const CoordinateAxis& axis) {
  return IsOneOfIgnoringCase(axis.name, {"lon", "longitude", "lat", "latitude"});
}

/// Removes what the coordinates say of the array's CRS, which is being removed: the next CRS gives their unit.
void ForgetCrs(const GeoTarget& target) {
  const ErrorCollector hidden_errors;  // they were reported when the CRS was read first
  const auto srs = target.array.gdal_array().GetSpatialRef();
  if (!srs) return;
  for (const std::size_t dimension : {target.axes.x, target.axes.y}) {
    const CoordinateAxis axis = MakeAxis(target, dimension);
    const auto array = target.array.resource()->finder().FindArray(axis.path);
    if (!array || array->rank() != 1 || IsUsedByOthers(target, axis)) continue;
    if (HasNameOfAngles(axis)) continue;  // without these words, the name would imply a CRS
    RemoveWordsOf(target, axis.path, dimension == target.axes.x, *srs);
  }
}

}  // namespace

bool HasOwnNames(const GeoTarget& target) {
  if (!HasPlaceForCoordinates(target)) return true;
  const CoordinateAxis axes[] = {MakeAxis(target, target.axes.x), MakeAxis(target, target.axes.y)};
  if (std::ranges::any_of(axes, [&](const CoordinateAxis& axis) { return IsThere(target, axis); })) return true;
  if (std::ranges::any_of(axes,
                          [&](const CoordinateAxis& axis) { return HasOtherLength(target, axis.name, axis.size); }))
    return false;
  return !HasOther(target, {target.array.array().path()}, [&](const zarr::ArrayMetadata& array) {
    return array.shape.size() > 1 && HasDimension(array, axes[0].name) && HasDimension(array, axes[1].name);
  });
}

bool FitsCoordinates(const GeoTarget& target, const std::optional<GeoTransform>& transform) {
  const std::size_t rank = target.array.gdal_array().GetDimensions().size();
  if (!transform || target.array.array().path().empty() || target.axes.y >= rank) return false;
  if (!target.has_own_names) return false;
  const auto& names = target.array.array().metadata().dimension_names;
  if (names.size() != rank || !names[target.axes.x] || !names[target.axes.y]) return false;
  // A dimension that is both axes has one array of coordinates. netCDF-C names anonymous dimensions by their lengths.
  if (names[target.axes.x] == names[target.axes.y]) return false;
  return (*transform)[2] == 0 && (*transform)[4] == 0;
}

bool CoordinatesTell(const GeoTarget& target, const std::optional<GeoTransform>& transform) {
  if (!FitsCoordinates(target, transform)) return false;
  const auto& shape = target.array.array().shape();
  return shape[target.axes.x] > 1 && shape[target.axes.y] > 1;
}

void ChooseAxes(const GeoTarget& target, const Georeferencing& place) {
  if (!target.array.conventions() || target.array.array().path().empty()) return;
  if (target.axes.y >= target.array.gdal_array().GetDimensions().size()) return;
  if (FitsCoordinates(target, place.transform)) {
    const auto [x, y] = GetAxes(target, *place.transform);
    if (ShareAxes(target, x, y)) return;
    if (AreTaken(target, {x, y})) SeparateAxes(target);
    return;
  }
  if (!place.transform) return;
  // Other arrays' coordinates, written now or later, would be read as this array's.
  if (AreUsedByOthers(target, {MakeAxis(target, target.axes.x), MakeAxis(target, target.axes.y)})) SeparateAxes(target);
}

void CheckCoordinates(const GeoTarget& target, const Georeferencing& place) {
  if (!HasPlaceForCoordinates(target)) return;
  if (!FitsCoordinates(target, place.transform)) {
    for (const std::size_t dimension : {target.axes.x, target.axes.y}) {
      const CoordinateAxis axis = MakeAxis(target, dimension);
      if (FindRemovable(target, axis) && IsUsedByOthers(target, axis)) RefuseShared(target, axis, "and would move");
    }
    return;
  }
  const auto [x, y] = GetAxes(target, *place.transform);
  for (const CoordinateAxis& axis : {x, y}) {
    if (IsOthers(target, axis)) RefuseShared(target, axis, "and would move");
    if (AreOfOtherSrs(target, axis))
      RefuseShared(target, axis, "and say that they are not those of the CRS " + std::string(target.srs->GetName()));
  }
}

void CheckAreOfPlaces(const GeoTarget& target) {
  if (!HasPlaceForCoordinates(target)) return;
  const CoordinateAxis axes[] = {MakeAxis(target, target.axes.x), MakeAxis(target, target.axes.y)};
  if (AreNamesOfAxes(axes[0].name, axes[1].name)) return;
  for (const CoordinateAxis& axis : axes) {
    if (!FindRemovable(target, axis)) continue;
    if (ReadAxisClaim(target.array.OpenOther(axis.path)->gdal_array()) != AxisClaim::kOther) continue;
    throw zarr::Error(
        zarr::ErrorKind::kUnsupported, target.array.array().store().name(), axis.path, "",
        "a geotransform would replace these coordinates, which are not described as coordinates of places");
  }
}

std::function<void()> MakeCoordinates(const GeoTarget& target, const Georeferencing& place) {
  if (!HasPlaceForCoordinates(target)) return [] {};
  if (!FitsCoordinates(target, place.transform)) {
    for (const std::size_t dimension : {target.axes.x, target.axes.y}) {
      const CoordinateAxis axis = MakeAxis(target, dimension);
      if (!FindRemovable(target, axis)) continue;
      if (const auto bounds = FindBounds(target, axis)) target.array.resource()->DeleteNode(bounds->path());
      target.array.resource()->DeleteNode(axis.path);
    }
    return [] {};
  }
  const auto [x, y] = GetAxes(target, *place.transform);
  const auto make = [&target](const CoordinateAxis& axis) -> std::function<void()> {
    return [&target, axis, bounds = MakeBounds(target, axis), array = MakeArray(target, axis)] {
      if (array) WriteValues(target, axis, array);
      if (bounds) WriteBounds(axis, bounds);
    };
  };
  return [write_x = make(x), write_y = make(y)] {
    write_x();
    write_y();
  };
}

void ForgetCoordinateWords(const GeoTarget& target) {
  if (!HasPlaceForCoordinates(target)) return;
  // Copied coordinates keep the words of their source, from which the copy's CRS follows.
  if (target.array.is_new() && target.array.resource()->edits().group_copy.is_running()) return;
  const auto& dimensions = target.array.gdal_array().GetDimensions();
  if (!ReadSpatialRefOfAxes(*dimensions[target.axes.x], *dimensions[target.axes.y])) return ForgetCrs(target);
  const CoordinateAxis axes[] = {MakeAxis(target, target.axes.x), MakeAxis(target, target.axes.y)};
  const bool can_change = std::ranges::all_of(axes, [&](const CoordinateAxis& axis) {
    return !HasNameOfAngles(axis) && HasOwnWords(target, axis.path, &axis == axes) && !IsUsedByOthers(target, axis);
  });
  if (!can_change) {
    if (target.array.is_new()) return;  // the coordinates that it shares imply its CRS
    throw zarr::Error(zarr::ErrorKind::kUnsupported, target.array.array().store().name(), axes[0].path, "",
                      "these coordinates are longitudes or latitudes, which imply a CRS that is not removed, because "
                      "of their names, because other arrays use them, or because another program has described them");
  }
  for (const CoordinateAxis& axis : axes) RemoveOwnWords(target, axis.path);
}

bool ForgetUnits(const GeoTarget& target, const GeoTransform& transform) {
  if (!target.moves || !HasPlaceForCoordinates(target)) return false;
  GeoTarget without_srs = target;
  without_srs.srs = nullptr;
  bool has_changed = false;
  const auto [x, y] = GetAxes(target, transform);
  for (const CoordinateAxis& axis : {x, y}) {
    const bool is_written = IsThere(target, axis) && !IsOthers(target, axis) && !HoldsSameCoordinates(target, axis);
    if (!is_written || (target.srs && !HoldsSameCoordinates(without_srs, axis))) continue;
    has_changed = RemoveLength(target, axis.path) || has_changed;
  }
  return has_changed;
}

void DescribeCoordinates(const GeoTarget& target, const OGRSpatialReference& srs) {
  if (!HasPlaceForCoordinates(target) || WouldChangeOthers(target, srs)) return;
  // A CRS for which CF has no names takes them away, which other arrays may need.
  const bool has_names = srs.IsGeographic() || srs.IsProjected();
  for (const std::size_t dimension : {target.axes.x, target.axes.y}) {
    const CoordinateAxis axis = MakeAxis(target, dimension);
    // A unit where there was none would be that of other arrays, too, whose CRS may have another one.
    const bool has_other_unit = srs.IsProjected() && srs.GetLinearUnits() != 1 && !HasUnit(target, axis);
    if ((!has_names || has_other_unit) && IsUsedByOthers(target, axis)) continue;
    DescribeAxis(target, axis.path, dimension == target.axes.x, srs);
  }
}

}  // namespace gdal_zarr
