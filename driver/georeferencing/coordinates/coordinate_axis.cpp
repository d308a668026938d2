// SPDX-License-Identifier: MIT
#include "driver/georeferencing/coordinates/coordinate_axis.h"

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
#include "driver/georeferencing/axis_unit.h"
#include "driver/georeferencing/convention_writers.h"
#include "driver/georeferencing/coordinates/axis_words.h"
#include "driver/georeferencing/coordinates/coordinate_values.h"
#include "driver/georeferencing/coordinates/regular_axis.h"
#include "driver/georeferencing/other_arrays.h"
#include "driver/types/type_map.h"
#include "zarrlib/json/json_edit.h"

namespace gdal_zarr {

using zarr::JsonNode;

namespace {

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

/// Returns true if known coordinates are the axis's, in the precision of their array's type: programs that compute in
/// it may miss its last digit.
bool AreValuesOf(const CoordinateAxis& axis, const std::vector<double>& known, double largest,
                 const zarr::Array& array) {
  const double most = IsPackedAxis(array) ? 0 : 2 * GetRounding(GetShownType(array), largest);
  return std::ranges::equal(known, MakeValues(axis), [&](double a, double b) { return std::fabs(a - b) <= most; });
}

}  // namespace

bool AreUsedByOthers(const GeoTarget& target, const std::vector<CoordinateAxis>& axes) {
  std::vector<std::string> own;
  for (const CoordinateAxis& axis : axes) {
    own.push_back(axis.path);
    if (const auto bounds = FindBounds(target, axis)) own.push_back(bounds->path());
  }
  return HasOther(target, own, [&](const zarr::ArrayMetadata& array) {
    return std::ranges::any_of(axes, [&](const CoordinateAxis& axis) { return HasDimension(array, axis.name); });
  });
}

bool IsPackedAxis(const zarr::Array& array) {
  return GetNumberOr(array, kScaleAttribute, 1) != 1 || GetNumberOr(array, kOffsetAttribute, 0) != 0;
}

CoordinateAxis MakeAxis(const GeoTarget& target, std::size_t dimension) {
  const auto& found = target.array.gdal_array().GetDimensions()[dimension];
  const std::string group = GetParentPath(target.array.array().path());
  return {found->GetName(),
          zarr::JoinKey(group, found->GetName()),
          found->GetSize(),
          0,
          1,
          dimension == target.axes.x ? "X" : "Y"};
}

std::pair<CoordinateAxis, CoordinateAxis> GetAxes(const GeoTarget& target, const GeoTransform& t) {
  CoordinateAxis x = MakeAxis(target, target.axes.x);
  CoordinateAxis y = MakeAxis(target, target.axes.y);
  x.step = t[1];
  x.first = t[0] + t[1] / 2;
  y.step = t[5];
  y.first = t[3] + t[5] / 2;
  return {x, y};
}

std::vector<double> MakeValues(const CoordinateAxis& axis) {
  std::vector<double> values(static_cast<std::size_t>(axis.size));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = axis.first + static_cast<double>(i) * axis.step;
  return values;
}

std::shared_ptr<const zarr::Array> FindBounds(const GeoTarget& target, const CoordinateAxis& axis) {
  const auto array = target.array.resource()->finder().FindArray(axis.path);
  const auto name = array ? FindMember(array->metadata().attributes, kBoundsAttribute) : std::nullopt;
  if (!name || !name->IsString() || name->AsString().empty()) return nullptr;
  const auto path = ResolveNodePath(GetParentPath(axis.path), name->AsString());
  auto bounds = path ? target.array.resource()->finder().FindArray(*path) : nullptr;
  if (!bounds || bounds->shape() != zarr::Shape{axis.size, 2} || bounds->data_type().variable()) return nullptr;
  const auto& names = bounds->metadata().dimension_names;
  return !names.empty() && names[0] == axis.name ? bounds : nullptr;
}

bool IsUsedByOthers(const GeoTarget& target, const CoordinateAxis& axis) {
  return AreUsedByOthers(target, {axis});
}

bool HoldsSameCoordinates(const GeoTarget& target, const CoordinateAxis& axis) {
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

bool IsThere(const GeoTarget& target, const CoordinateAxis& axis) {
  return target.array.resource()->hierarchy().Probe(axis.path).has_value();
}

bool IsOthers(const GeoTarget& target, const CoordinateAxis& axis) {
  if (!IsThere(target, axis) || HoldsSameCoordinates(target, axis)) return false;
  const auto array = target.array.resource()->finder().FindArray(axis.path);
  const bool is_axis = array && array->rank() == 1 && array->shape()[0] == axis.size;
  return !is_axis || array->data_type().variable() || IsUsedByOthers(target, axis);
}

bool AreOfOtherSrs(const GeoTarget& target, const CoordinateAxis& axis) {
  const bool is_x = std::string_view(axis.letter) == "X";
  return target.srs && ContradictsAxis(target, axis.path, is_x, *target.srs) && IsUsedByOthers(target, axis);
}

bool AreTaken(const GeoTarget& target, const std::vector<CoordinateAxis>& axes) {
  std::vector<CoordinateAxis> without_coordinates;
  for (const CoordinateAxis& axis : axes) {
    if (!IsThere(target, axis)) {
      without_coordinates.push_back(axis);
    } else if (IsOthers(target, axis) || AreOfOtherSrs(target, axis)) {
      return true;
    }
  }
  return !without_coordinates.empty() && AreUsedByOthers(target, without_coordinates);
}

}  // namespace gdal_zarr
