#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// What a unit of length is in metres; 0 if it is not known, or none.
double MetresOfUnit(const std::string& unit);

/// How many units of a projected SRS one unit of a coordinate array is: 1000 for kilometres where the SRS is in metres;
/// the satellite's height for the radians of a geostationary view. 1 where nothing is known, and for a null `srs`.
double AxisUnitFactor(const std::string& unit, const OGRSpatialReference* srs);

}  // namespace gdal_zarr
