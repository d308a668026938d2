#pragma once

#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// The SRS that the attributes of a CF grid mapping variable describe (CF 1.11, appendix F), where GDAL does not know
/// it. Nothing for a `grid_mapping_name` that is not one of the common ones: latitude_longitude, transverse_mercator,
/// lambert_conformal_conic, albers_conical_equal_area, polar_stereographic, mercator, lambert_azimuthal_equal_area,
/// sinusoidal. Throws zarr::Error for parameters that are missing or wrong.
SpatialRef ReadCfProjection(const zarr::JsonNode& attributes);

}  // namespace gdal_zarr
