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
#include "driver/georeferencing/axis_unit.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/coordinates/axis_words.h"
#include "driver/georeferencing/coordinates/coordinate_arrays.h"
#include "driver/georeferencing/coordinates/coordinate_values.h"
#include "driver/georeferencing/coordinates/regular_axis.h"
#include "driver/georeferencing/other_arrays.h"
#include "driver/georeferencing/raster_axes.h"
#include "driver/types/type_map.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {
namespace {

using zarr::JsonNode;

/// The coordinates along one dimension, and the path of their array.
struct Axis {
  std::string name;
  std::string path;
  std::uint64_t size = 0;
  double first = 0;  ///< The centre of the first pixel.
  double step = 1;
  const char* letter = "X";
};

Axis MakeAxis(const GeoTarget& target, std::size_t dimension) {
  const auto& found = target.array.gdal_array().GetDimensions()[dimension];
  const std::string group = GetParentPath(target.array.array().path());
  return {found->GetName(),
          zarr::JoinKey(group, found->GetName()),
          found->GetSize(),
          0,
          1,
          dimension == target.axes.x ? "X" : "Y"};
}

std::pair<Axis, Axis> GetAxes(const GeoTarget& target, const GeoTransform& t) {
  Axis x = MakeAxis(target, target.axes.x);
  Axis y = MakeAxis(target, target.axes.y);
  x.step = t[1];
  x.first = t[0] + t[1] / 2;
  y.step = t[5];
  y.first = t[3] + t[5] / 2;
  return {x, y};
}

std::vector<double> MakeValues(const Axis& axis) {
  std::vector<double> values(static_cast<std::size_t>(axis.size));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = axis.first + static_cast<double>(i) * axis.step;
  return values;
}

/// Returns the array with the two ends of each pixel that belongs to the coordinates (CF 1.11, section 7.1), or null.
std::shared_ptr<const zarr::Array> FindBounds(const GeoTarget& target, const Axis& axis) {
  const auto array = target.array.resource()->finder().FindArray(axis.path);
  const auto name = array ? FindMember(array->metadata().attributes, kBoundsAttribute) : std::nullopt;
  if (!name || !name->IsString() || name->AsString().empty()) return nullptr;
  const auto path = ResolveNodePath(GetParentPath(axis.path), name->AsString());
  auto bounds = path ? target.array.resource()->finder().FindArray(*path) : nullptr;
  if (!bounds || bounds->shape() != zarr::Shape{axis.size, 2} || bounds->data_type().variable()) return nullptr;
  const auto& names = bounds->metadata().dimension_names;
  return !names.empty() && names[0] == axis.name ? bounds : nullptr;
}

/// Returns true if an array that is not in use in this dataset has a dimension of one of these names. Bounds belong to
/// the coordinates.
bool AreUsedByOthers(const GeoTarget& target, const std::vector<Axis>& axes) {
  std::vector<std::string> own;
  for (const Axis& axis : axes) {
    own.push_back(axis.path);
    if (const auto bounds = FindBounds(target, axis)) own.push_back(bounds->path());
  }
  return HasOther(target, own, [&](const zarr::ArrayMetadata& array) {
    return std::ranges::any_of(axes, [&](const Axis& axis) { return HasDimension(array, axis.name); });
  });
}

bool IsUsedByOthers(const GeoTarget& target, const Axis& axis) {
  return AreUsedByOthers(target, {axis});
}

double GetNumberOr(const zarr::Array& array, const char* name, double otherwise) {
  const JsonNode& attributes = array.metadata().attributes;
  const auto number = FindMember(attributes, name);
  return number ? ReadNumber(*number).value_or(otherwise) : otherwise;
}

/// Returns true if coordinates are numbers in another unit than those of the transform.
bool AreInOtherUnit(const GeoTarget& target, const zarr::Array& array, double largest) {
  const auto text = FindMember(array.metadata().attributes, kUnitsAttribute);
  const auto unit = FindAxisUnitFactor(text && text->IsString() ? text->AsString() : "", largest, target.srs);
  return unit && unit->factor != 1;
}

bool IsPacked(const zarr::Array& array) {
  return GetNumberOr(array, kScaleAttribute, 1) != 1 || GetNumberOr(array, kOffsetAttribute, 0) != 0;
}

/// Returns true if known coordinates are the axis's, in the precision of their array's type: programs that compute in
/// it may miss its last digit.
bool AreValuesOf(const Axis& axis, const std::vector<double>& known, double largest, const zarr::Array& array) {
  const double most = IsPacked(array) ? 0 : 2 * GetRounding(GetShownType(array), largest);
  return std::ranges::equal(known, MakeValues(axis), [&](double a, double b) { return std::fabs(a - b) <= most; });
}

/// Returns true if the array at the axis's path holds its coordinates.
bool HoldsSameCoordinates(const GeoTarget& target, const Axis& axis) {
  const std::shared_ptr<const zarr::Array> array = target.array.resource()->finder().FindArray(axis.path);
  if (!target.moves && array && array->shape() == zarr::Shape(1, axis.size)) return true;
  const double last = axis.first + static_cast<double>(axis.size - 1) * axis.step;
  const double largest = std::max(std::fabs(axis.first), std::fabs(last));
  if (array && AreInOtherUnit(target, *array, largest)) return false;
  const auto own = target.array.resource()->edits().objects.FindCoordinates(axis.path);
  if (own) return array && array->shape() == zarr::Shape(1, own->size()) && AreValuesOf(axis, *own, largest, *array);
  if (!array || array->rank() != 1 || array->shape()[0] != axis.size || array->data_type().variable()) return false;
  std::vector<double> known(static_cast<std::size_t>(axis.size));
  const auto converter = MakeRowConverter(GetShownType(*array), GDALExtendedDataType::Create(GDT_Float64));
  array->Read(zarr::Selection::FromBox({zarr::Shape(1, 0), array->shape()}),
              {reinterpret_cast<std::byte*>(known.data()), zarr::Strides(1, sizeof(double)), converter.get()});
  const double scale = GetNumberOr(*array, kScaleAttribute, 1);
  const double offset = GetNumberOr(*array, kOffsetAttribute, 0);
  for (double& value : known) value = value * scale + offset;
  target.array.resource()->edits().objects.NoteCoordinates(axis.path, known);
  return AreValuesOf(axis, known, largest, *array);
}

bool IsThere(const GeoTarget& target, const Axis& axis) {
  return target.array.resource()->hierarchy().Probe(axis.path).has_value();
}

/// Returns true if the axis's path contains something other than its coordinates that must not be rewritten: either not
/// a suitable coordinate array, or one that other arrays use.
bool IsOthers(const GeoTarget& target, const Axis& axis) {
  if (!IsThere(target, axis) || HoldsSameCoordinates(target, axis)) return false;
  const auto array = target.array.resource()->finder().FindArray(axis.path);
  const bool is_axis = array && array->rank() == 1 && array->shape()[0] == axis.size;
  return !is_axis || array->data_type().variable() || IsUsedByOthers(target, axis);
}

/// Returns true if the coordinates say that they are not those of the target's CRS, and other arrays use them.
bool AreOfOtherSrs(const GeoTarget& target, const Axis& axis) {
  const bool is_x = std::string_view(axis.letter) == "X";
  return target.srs && ContradictsAxis(target, axis.path, is_x, *target.srs) && IsUsedByOthers(target, axis);
}

/// Returns true if coordinates at one of the axes' paths belong, or would belong, to other arrays.
bool AreTaken(const GeoTarget& target, const std::vector<Axis>& axes) {
  std::vector<Axis> without_coordinates;
  for (const Axis& axis : axes) {
    if (!IsThere(target, axis)) {
      without_coordinates.push_back(axis);
    } else if (IsOthers(target, axis) || AreOfOtherSrs(target, axis)) {
      return true;
    }
  }
  return !without_coordinates.empty() && AreUsedByOthers(target, without_coordinates);
}

/// Returns true if the array's type is as precise for these coordinates as it was for the present ones, or holds them
/// to a millionth of a pixel.
bool CanHold(const GeoTarget& target, const Axis& axis, const zarr::Array& array) {
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

std::shared_ptr<const zarr::Array> CreateAxis(const GeoTarget& target, const Axis& axis, const JsonNode& attributes) {
  return CreateNumbers(target.array, axis.path, {{axis.name, axis.size}}, attributes);
}

/// Makes the array for bounds of moved coordinates, if there are bounds, for numbers of any precision.
std::shared_ptr<const zarr::Array> MakeBounds(const GeoTarget& target, const Axis& axis) {
  const auto bounds = target.moves ? FindBounds(target, axis) : nullptr;
  if (!bounds || IsUsedByOthers(target, axis)) return nullptr;
  const JsonNode attributes = WithoutPacking(bounds->metadata().attributes);
  const auto& names = bounds->metadata().dimension_names;
  const std::string ends = names.size() > 1 ? names[1].value_or("bnds") : "bnds";
  const std::string path = bounds->path();
  target.array.resource()->DeleteNode(path);
  return CreateNumbers(target.array, path, {{axis.name, axis.size}, {ends, 2}}, attributes);
}

void WriteBounds(const Axis& axis, const std::shared_ptr<const zarr::Array>& array) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < axis.size; ++i) {
    for (const double end : {-0.5, 0.5}) values.push_back(axis.first + (static_cast<double>(i) + end) * axis.step);
  }
  WriteNumbers(array, values);
}

void WriteValues(const GeoTarget& target, const Axis& axis, const std::shared_ptr<const zarr::Array>& array) {
  const std::vector<double> values = MakeValues(axis);
  WriteNumbers(array, values);
  target.array.resource()->edits().objects.NoteCoordinates(axis.path, values);
}

/// Irregular coordinates carry more information than a geotransform can.
void WarnOfIrregular(const GeoTarget& target, const Axis& axis) {
  if (axis.size < 3 || ReadPixelEdges(&target.array.OpenOther(axis.path)->gdal_array(), nullptr)) return;
  target.array.resource()->WarnOnce(MakeGdalFullName(axis.path) +
                                    ": these coordinates were not regular; they are overwritten by the regular ones of "
                                    "the geotransform");
}

/// Creates the array of the axis's name for the coordinates if it is missing. Replaces an array whose packing or type
/// the coordinates do not fit. Returns the array, or null if it already holds the coordinates.
std::shared_ptr<const zarr::Array> MakeArray(const GeoTarget& target, const Axis& axis) {
  zarr::EditableHierarchy& hierarchy = target.array.resource()->Change();
  std::shared_ptr<const zarr::Array> array = target.array.resource()->finder().FindArray(axis.path);
  const bool fits = array && array->rank() == 1 && array->shape()[0] == axis.size;
  if (hierarchy.Probe(axis.path) && !fits) {
    throw zarr::Error(zarr::ErrorKind::kUnsupported, hierarchy.store()->name(), axis.path, "",
                      "another node is where the coordinates of " + target.array.gdal_array().GetFullName() +
                          " belong; give the array's dimensions other names");
  }
  if (array && HoldsSameCoordinates(target, axis)) return nullptr;
  if (array && (IsPacked(*array) || !CanHold(target, axis, *array))) {
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

[[noreturn]] void RefuseShared(const GeoTarget& target, const Axis& axis, const std::string& why) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, target.array.array().store().name(), axis.path, "",
                    "other arrays use these coordinates too, " + why);
}

/// Returns the coordinate array that must be removed if its coordinates are no longer correct, or null if there is
/// none. Next to a transform that does not move, coordinates are as correct as they were.
std::shared_ptr<const zarr::Array> FindRemovable(const GeoTarget& target, const Axis& axis) {
  if (!target.moves) return nullptr;
  const auto array = target.array.resource()->finder().FindArray(axis.path);
  const bool is_axis = array && array->rank() == 1 && axis.path != target.array.array().path();
  return is_axis ? array : nullptr;
}

/// Returns true, with a warning, if other arrays get or lose a CRS when their coordinates are described as those of
/// another one: angles imply a CRS by themselves.
bool WouldChangeOthers(const GeoTarget& target, const OGRSpatialReference& srs) {
  if (target.array.resource()->edits().group_copy.is_running()) return false;
  const auto& dimensions = target.array.gdal_array().GetDimensions();
  const bool implies = ReadSpatialRefOfAxes(*dimensions[target.axes.x], *dimensions[target.axes.y]) != nullptr;
  const Axis axes[] = {MakeAxis(target, target.axes.x), MakeAxis(target, target.axes.y)};
  const bool is_there = std::ranges::all_of(axes, [&](const Axis& axis) { return IsThere(target, axis); });
  if (!is_there || implies == (srs.IsGeographic() != 0)) return false;
  if (std::ranges::none_of(axes, [&](const Axis& axis) { return IsUsedByOthers(target, axis); })) return false;
  target.array.resource()->WarnOnce(MakeGdalFullName(axes[0].path) + ", " + MakeGdalFullName(axes[1].path) +
                                    ": these coordinates are not described as those of the CRS " + srs.GetName() +
                                    ", because other arrays use them too, whose CRS would change");
  return true;
}

bool HasUnit(const GeoTarget& target, const Axis& axis) {
  const auto array = target.array.resource()->finder().FindArray(axis.path);
  return array && FindMember(array->metadata().attributes, kUnitsAttribute);
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
bool ShareAxes(const GeoTarget& target, const Axis& x, const Axis& y) {
  if (IsThere(target, x) || IsThere(target, y)) return false;
  const std::string group = GetParentPath(target.array.array().path());
  for (std::size_t end = x.name.find('_'); end != std::string::npos; end = x.name.find('_', end + 1)) {
    if (y.name.compare(0, end + 1, x.name, 0, end + 1) != 0) return false;
    Axis usual_x = x;
    Axis usual_y = y;
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

bool HasNameOfAngles(const Axis& axis) {
  return IsOneOfIgnoringCase(axis.name, {"lon", "longitude", "lat", "latitude"});
}

/// Removes what the coordinates say of the array's CRS, which is being removed: the next CRS gives their unit.
void ForgetCrs(const GeoTarget& target) {
  const ErrorCollector hidden_errors;  // they were reported when the CRS was read first
  const auto srs = target.array.gdal_array().GetSpatialRef();
  if (!srs) return;
  for (const std::size_t dimension : {target.axes.x, target.axes.y}) {
    const Axis axis = MakeAxis(target, dimension);
    const auto array = target.array.resource()->finder().FindArray(axis.path);
    if (!array || array->rank() != 1 || IsUsedByOthers(target, axis)) continue;
    if (HasNameOfAngles(axis)) continue;  // without these words, the name would imply a CRS
    RemoveWordsOf(target, axis.path, dimension == target.axes.x, *srs);
  }
}

}  // namespace

bool HasOwnNames(const GeoTarget& target) {
  if (!HasPlaceForCoordinates(target)) return true;
  const Axis axes[] = {MakeAxis(target, target.axes.x), MakeAxis(target, target.axes.y)};
  if (std::ranges::any_of(axes, [&](const Axis& axis) { return IsThere(target, axis); })) return true;
  return std::ranges::none_of(axes, [&](const Axis& axis) { return HasOtherLength(target, axis.name, axis.size); });
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
      const Axis axis = MakeAxis(target, dimension);
      if (FindRemovable(target, axis) && IsUsedByOthers(target, axis)) RefuseShared(target, axis, "and would move");
    }
    return;
  }
  const auto [x, y] = GetAxes(target, *place.transform);
  for (const Axis& axis : {x, y}) {
    if (IsOthers(target, axis)) RefuseShared(target, axis, "and would move");
    if (AreOfOtherSrs(target, axis))
      RefuseShared(target, axis, "and say that they are not those of the CRS " + std::string(target.srs->GetName()));
  }
}

void CheckAreOfPlaces(const GeoTarget& target) {
  if (!HasPlaceForCoordinates(target)) return;
  const Axis axes[] = {MakeAxis(target, target.axes.x), MakeAxis(target, target.axes.y)};
  if (AreNamesOfAxes(axes[0].name, axes[1].name)) return;
  for (const Axis& axis : axes) {
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
      const Axis axis = MakeAxis(target, dimension);
      if (!FindRemovable(target, axis)) continue;
      if (const auto bounds = FindBounds(target, axis)) target.array.resource()->DeleteNode(bounds->path());
      target.array.resource()->DeleteNode(axis.path);
    }
    return [] {};
  }
  const auto [x, y] = GetAxes(target, *place.transform);
  const auto make = [&target](const Axis& axis) -> std::function<void()> {
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
  const Axis axes[] = {MakeAxis(target, target.axes.x), MakeAxis(target, target.axes.y)};
  const bool can_change = std::ranges::all_of(axes, [&](const Axis& axis) {
    return !HasNameOfAngles(axis) && HasOwnWords(target, axis.path, &axis == axes) && !IsUsedByOthers(target, axis);
  });
  if (!can_change) {
    if (target.array.is_new()) return;  // the coordinates that it shares imply its CRS
    throw zarr::Error(zarr::ErrorKind::kUnsupported, target.array.array().store().name(), axes[0].path, "",
                      "these coordinates are longitudes or latitudes, which imply a CRS that is not removed, because "
                      "of their names, because other arrays use them, or because another program has described them");
  }
  for (const Axis& axis : axes) RemoveOwnWords(target, axis.path);
}

void ForgetUnits(const GeoTarget& target, const GeoTransform& transform) {
  if (!target.moves || !HasPlaceForCoordinates(target)) return;
  const auto [x, y] = GetAxes(target, transform);
  for (const Axis& axis : {x, y}) {
    const bool is_written = IsThere(target, axis) && !IsOthers(target, axis) && !HoldsSameCoordinates(target, axis);
    if (is_written) RemoveLength(target, axis.path);
  }
}

void DescribeCoordinates(const GeoTarget& target, const OGRSpatialReference& srs) {
  if (!HasPlaceForCoordinates(target) || WouldChangeOthers(target, srs)) return;
  // A CRS for which CF has no names takes them away, which other arrays may need.
  const bool has_names = srs.IsGeographic() || srs.IsProjected();
  for (const std::size_t dimension : {target.axes.x, target.axes.y}) {
    const Axis axis = MakeAxis(target, dimension);
    // A unit where there was none would be that of other arrays, too, whose CRS may have another one.
    const bool has_other_unit = srs.IsProjected() && srs.GetLinearUnits() != 1 && !HasUnit(target, axis);
    if ((!has_names || has_other_unit) && IsUsedByOthers(target, axis)) continue;
    DescribeAxis(target, axis.path, dimension == target.axes.x, srs);
  }
}

}  // namespace gdal_zarr
