// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns the length of a unit in metres; 0 if it is unknown, or not a unit of length.
double GetMetresOfUnit(const std::string& unit);

/// Returns how many units of a projected SRS one unit of a coordinate array is: 1000 for kilometres if the SRS is in
/// metres, the satellite's height for the radians of a geostationary view. 1 if that is not known, or `srs` is null.
double ReadAxisUnitFactor(const std::string& unit, const OGRSpatialReference* srs);

}  // namespace gdal_zarr
