#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// The dimensions that are X and Y: by their types, else by the usual names, in any case (x, easting, longitude, lon;
/// y, northing, latitude, lat), else by a pair such as X_a and Y_a. Nothing unless both are found.
std::optional<RasterAxes> FindHorizontalAxes(const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// The same, but what a convention says of the array's axes goes first.
std::optional<RasterAxes> ChooseRasterAxes(const GeoContext& context,
                                           const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

/// Whether an array holds longitudes, or latitudes: by its `standard_name`, else by its unit, else by its name, where
/// the unit does not speak against it.
bool HoldsLongitudes(const GDALMDArray& array);
bool HoldsLatitudes(const GDALMDArray& array);

/// EPSG:4326 for dimensions with coordinates that are longitudes and latitudes; else nothing. Throws zarr::Error(io).
SpatialRef SpatialRefOfAxes(const GDALDimension& x, const GDALDimension& y);

}  // namespace gdal_zarr
