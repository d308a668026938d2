// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// Finds the dimensions X and Y: by their types; otherwise by the usual names, ignoring case (x, easting, longitude,
/// lon; y, northing, latitude, lat); otherwise by a pair of names such as X_a and Y_a. Returns nullopt unless both are
/// found.
std::optional<RasterAxes> FindHorizontalAxes(const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Returns true if the names alone show that dimensions are X and Y.
bool AreNamesOfAxes(std::string_view x, std::string_view y);

/// Determines the axes by the conventions, otherwise like FindHorizontalAxes.
std::optional<RasterAxes> ChooseRasterAxes(const GeoContext& context,
                                           const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// These return true if an array holds longitudes or latitudes, respectively. Its `standard_name` decides, otherwise
/// its unit, otherwise its name if the unit does not contradict it.
bool HoldsLongitudes(const GDALMDArray& array);
bool HoldsLatitudes(const GDALMDArray& array);

/// Returns EPSG:4326 if the dimensions have coordinates that are longitudes and latitudes, otherwise null. Throws
/// zarr::Error(io).
SpatialRef ReadSpatialRefOfAxes(const GDALDimension& x, const GDALDimension& y);

}  // namespace gdal_zarr
