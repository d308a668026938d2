// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// Finds the dimensions X and Y: by their types, else by the usual names in any case (x, easting, longitude, lon; y,
/// northing, latitude, lat), else by a pair of names such as X_a and Y_a. Returns nothing unless both are found.
std::optional<RasterAxes> FindHorizontalAxes(const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Whether dimensions of these names are X and Y by their names alone.
bool AreNamesOfAxes(std::string_view x, std::string_view y);

/// Asks the conventions for the axes first, then does the same as FindHorizontalAxes.
std::optional<RasterAxes> ChooseRasterAxes(const GeoContext& context,
                                           const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Whether an array holds longitudes, or latitudes: by its `standard_name`, else by its unit, else by its name if the
/// unit does not contradict it.
bool HoldsLongitudes(const GDALMDArray& array);
bool HoldsLatitudes(const GDALMDArray& array);

/// Returns EPSG:4326 if the dimensions have coordinates that are longitudes and latitudes, else null. Throws
/// zarr::Error(io).
SpatialRef ReadSpatialRefOfAxes(const GDALDimension& x, const GDALDimension& y);

}  // namespace gdal_zarr
