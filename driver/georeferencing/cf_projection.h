#pragma once

#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// The SRS that the attributes of a CF grid mapping variable describe, for versions of GDAL that cannot read them:
/// CF 1.11, appendix F. Nothing for a `grid_mapping_name` that is not one of the common ones: latitude_longitude,
/// transverse_mercator, lambert_conformal_conic, albers_conical_equal_area, polar_stereographic, mercator,
/// lambert_azimuthal_equal_area, sinusoidal. Throws zarr::Error for parameters that are missing or wrong.
SpatialRef ReadCfProjection(const zarr::JsonNode& attributes);

}  // namespace gdal_zarr
