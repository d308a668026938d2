// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// What stands for a missing position: neither a longitude nor a latitude.
inline constexpr double kNowhere = -9999;

/// Makes the metadata domain GEOLOCATION of an array that is presented as a raster of that size: the longitude and
/// latitude of each pixel, from two arrays of one band named by CF's attribute `coordinates`. If these are packed,
/// virtual rasters unpack them. The result is empty if there are no such arrays.
CPLStringList MakeGeolocation(const GDALMDArray& array, const std::string& store, int width, int height);

}  // namespace gdal_zarr
