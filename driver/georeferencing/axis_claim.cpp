// SPDX-License-Identifier: MIT
#include "driver/georeferencing/axis_claim.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "driver/cf/degree_units.h"
#include "driver/dataset/referred_arrays.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/georeferencing/axis_unit.h"
#include "driver/georeferencing/raster_axes.h"

namespace gdal_zarr {
namespace {

std::string ReadText(const GDALMDArray& array, const char* name) {
  const auto attribute = FindAttribute(array, name);
  const char* text = attribute ? attribute->ReadAsString() : nullptr;
  return text ? text : "";
}

AxisClaim ReadAxis(const std::string& axis) {
  if (axis.empty()) return AxisClaim::kNothing;
  return EQUAL(axis.c_str(), "X") ? AxisClaim::kX : EQUAL(axis.c_str(), "Y") ? AxisClaim::kY : AxisClaim::kOther;
}

AxisClaim ReadStandardName(const std::string& name) {
  if (name.empty()) return AxisClaim::kNothing;
  if (IsOneOfIgnoringCase(
          name, {"longitude", "grid_longitude", "projection_x_coordinate", "projection_x_angular_coordinate"})) {
    return AxisClaim::kX;
  }
  const bool is_y = IsOneOfIgnoringCase(
      name, {"latitude", "grid_latitude", "projection_y_coordinate", "projection_y_angular_coordinate"});
  return is_y ? AxisClaim::kY : AxisClaim::kOther;
}

AxisClaim ReadUnit(const std::string& unit) {
  if (IsDegreesTo(unit, "east")) return AxisClaim::kX;
  if (IsDegreesTo(unit, "north")) return AxisClaim::kY;
  const bool may_be_place = unit.empty() || unit == "1" || GetMetresOfUnit(unit) != 0 || GetRadiansOfUnit(unit) != 0;
  return may_be_place ? AxisClaim::kNothing : AxisClaim::kOther;
}

AxisClaim ReadName(const std::string& name) {
  if (AreNamesOfAxes(name, "y")) return AxisClaim::kX;
  if (AreNamesOfAxes("x", name)) return AxisClaim::kY;
  const bool is_other = IsOneOfIgnoringCase(name, {"time", "t", "z", "depth", "height", "altitude", "level", "lev"});
  return is_other ? AxisClaim::kOther : AxisClaim::kNothing;
}

bool MayBe(AxisClaim axis, const GDALDimension& dimension) {
  const auto coordinates = FindIndexingVariable(dimension);
  const AxisClaim claim = coordinates ? ReadAxisClaim(*coordinates) : ReadName(dimension.GetName());
  return claim == AxisClaim::kNothing || claim == axis;
}

}  // namespace

bool IsDegreesTo(const std::string& unit, const char* direction) {
  return std::ranges::any_of(ListDegreeUnits(direction),
                             [&](const std::string& degrees) { return IsEqualIgnoringCase(unit, degrees); });
}

AxisClaim ReadAxisClaim(const GDALMDArray& coordinates) {
  if (coordinates.GetDataType().GetClass() != GEDTC_NUMERIC) return AxisClaim::kOther;
  if (!ReadText(coordinates, "calendar").empty() || !ReadText(coordinates, "positive").empty()) {
    return AxisClaim::kOther;
  }
  AxisClaim found = AxisClaim::kNothing;
  const AxisClaim unit = ReadUnit(coordinates.GetUnit());
  for (const AxisClaim claim :
       {ReadAxis(ReadText(coordinates, "axis")), ReadStandardName(ReadText(coordinates, "standard_name")),
        unit == AxisClaim::kOther ? AxisClaim::kNothing : unit}) {
    if (claim == AxisClaim::kNothing || claim == found) continue;
    if (found != AxisClaim::kNothing || claim == AxisClaim::kOther) return AxisClaim::kOther;
    found = claim;
  }
  if (found != AxisClaim::kNothing) return found;
  return unit == AxisClaim::kOther ? unit : ReadName(coordinates.GetName());
}

bool AreUnnamed(const zarr::Array& array) {
  return std::ranges::none_of(array.metadata().dimension_names, [](const auto& name) { return name.has_value(); });
}

bool MayBeRasterAxes(const GDALMDArray& array, const RasterAxes& axes) {
  const auto& dimensions = array.GetDimensions();
  if (axes.x >= dimensions.size() || axes.y >= dimensions.size()) return false;
  return MayBe(AxisClaim::kX, *dimensions[axes.x]) && MayBe(AxisClaim::kY, *dimensions[axes.y]);
}

}  // namespace gdal_zarr
