#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The metadata domain GEOLOCATION of an array shown as a raster of that size: the longitude and latitude of every
/// pixel, from two arrays of two dimensions that CF's attribute `coordinates` names; where these are packed, two
/// virtual rasters that unpack them. Empty where there are none.
CPLStringList GeolocationOf(const GDALMDArray& array, const std::string& store, int width, int height);

}  // namespace gdal_zarr
