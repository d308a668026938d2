// SPDX-License-Identifier: MIT
#include "driver/georeferencing/raster_axes.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "driver/dataset/referred_arrays.h"
#include "driver/gdal/gdal_error.h"
#include "driver/gdal/text.h"
#include "driver/georeferencing/axis_claim.h"

namespace gdal_zarr {
namespace {

using Dimensions = std::vector<std::shared_ptr<GDALDimension>>;

constexpr const char* kNamesOfX[] = {"x", "easting", "longitude", "lon"};
constexpr const char* kNamesOfY[] = {"y", "northing", "latitude", "lat"};

std::optional<std::size_t> FindAxis(const Dimensions& dimensions, const char* type,
                                    std::span<const char* const> names) {
  const auto find = [&dimensions](auto&& test) -> std::optional<std::size_t> {
    const auto found = std::find_if(dimensions.begin(), dimensions.end(), test);
    if (found == dimensions.end()) return std::nullopt;
    return static_cast<std::size_t>(found - dimensions.begin());
  };
  if (const auto axis = find([&](const auto& dimension) { return dimension->GetType() == type; })) return axis;
  for (const char* name : names) {
    if (const auto axis = find([&](const auto& d) { return EQUAL(d->GetName().c_str(), name); })) return axis;
  }
  return std::nullopt;
}

/// Returns true if the last dimensions have the names that GDAL's drivers use for those of a raster. Another dimension
/// may then hold latitudes of its bands.
bool AreLastOfRaster(const Dimensions& dimensions) {
  const std::size_t rank = dimensions.size();
  return rank > 2 && dimensions[rank - 1]->GetName() == "X" && dimensions[rank - 2]->GetName() == "Y";
}

/// Finds dimensions with names such as "a_X" and "a_Y", which an array with its own coordinates gets from this driver
/// and from GDAL's built-in driver; or "X_a" and "Y_a", as this driver once named them.
std::optional<RasterAxes> FindNamedAlike(const Dimensions& dimensions) {
  const auto find = [&](const std::string& name) {
    const auto found = std::ranges::find(dimensions, name, [](const auto& d) { return d->GetName(); });
    return static_cast<std::size_t>(found - dimensions.begin());
  };
  for (std::size_t x = 0; x < dimensions.size(); ++x) {
    const std::string& name = dimensions[x]->GetName();
    std::size_t y = dimensions.size();
    if (name.ends_with("_X")) y = find(name.substr(0, name.size() - 1) + "Y");
    if (name.starts_with("X_")) y = std::min(y, find("Y" + name.substr(1)));
    if (y < dimensions.size()) return RasterAxes{x, y};
  }
  return std::nullopt;
}

/// Returns true if an array holds angles with the full name `name`, measured from zero to the `direction` ("east" or
/// "north").
bool HoldsAngles(const GDALMDArray& array, const char* name, const char* short_name, const char* direction) {
  const auto attribute = FindAttribute(array, "standard_name");
  const char* standard_name = attribute ? attribute->ReadAsString() : nullptr;
  if (standard_name) return EQUAL(standard_name, name);
  const std::string& unit = array.GetUnit();
  if (IsDegreesTo(unit, direction)) return true;
  return IsOneOfIgnoringCase(unit, {"", "degree", "degrees"}) &&
         IsOneOfIgnoringCase(array.GetName(), {name, short_name});
}

}  // namespace

std::optional<RasterAxes> FindHorizontalAxes(const Dimensions& dimensions) {
  if (AreLastOfRaster(dimensions)) return RasterAxes{dimensions.size() - 1, dimensions.size() - 2};
  const auto x = FindAxis(dimensions, GDAL_DIM_TYPE_HORIZONTAL_X, kNamesOfX);
  const auto y = FindAxis(dimensions, GDAL_DIM_TYPE_HORIZONTAL_Y, kNamesOfY);
  if (!x && !y) return FindNamedAlike(dimensions);
  if (!x || !y || x == y) return std::nullopt;
  return RasterAxes{*x, *y};
}

std::optional<RasterAxes> ChooseRasterAxes(const GeoContext& context, const Dimensions& dimensions) {
  std::vector<std::string> names;
  for (const auto& dimension : dimensions) names.push_back(dimension->GetName());
  const auto axes = ReadRasterAxes(context, names);
  return axes ? axes : FindHorizontalAxes(dimensions);
}

bool AreNamesOfAxes(std::string_view x, std::string_view y) {
  const auto is_in = [](std::string_view name, std::span<const char* const> names) {
    return std::ranges::any_of(names, [&](const char* known) { return IsEqualIgnoringCase(name, known); });
  };
  return is_in(x, kNamesOfX) && is_in(y, kNamesOfY);
}

bool HoldsLongitudes(const GDALMDArray& array) {
  return HoldsAngles(array, "longitude", "lon", "east");
}

bool HoldsLatitudes(const GDALMDArray& array) {
  return HoldsAngles(array, "latitude", "lat", "north");
}

SpatialRef ReadSpatialRefOfAxes(const GDALDimension& x, const GDALDimension& y) {
  const auto longitudes = FindIndexingVariable(x);
  const auto latitudes = longitudes ? FindIndexingVariable(y) : nullptr;
  if (!latitudes || !HoldsLongitudes(*longitudes) || !HoldsLatitudes(*latitudes)) return nullptr;
  return ParseSpatialRef("EPSG:4326");
}

}  // namespace gdal_zarr
