#pragma once

#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// The SRS that the attributes of a CF grid mapping variable describe: all grid mappings of CF 1.11, appendix F. GDAL
/// from 3.9 on reads most of them, too; this is the same for all versions. Lengths are in metres; `metres_per_unit` is
/// that of the coordinates, 0 if it is not known.
///
/// Without an ellipsoid, and for that of WGS 84 without a datum's name, the datum is WGS 84. Nothing without a
/// `grid_mapping_name`. Throws zarr::Error for one that CF does not have, and for parameters that are missing or wrong.
SpatialRef ReadCfProjection(const zarr::JsonNode& attributes, double metres_per_unit);

}  // namespace gdal_zarr
