// SPDX-License-Identifier: MIT
#pragma once

#include "driver/georeferencing/georeferencing.h"

namespace gdal_zarr {

/// The name that most writers, including this driver, use for the grid mapping variable.
inline constexpr const char* kUsualGridMapping = "spatial_ref";

/// Makes the SRS described by the attributes of a CF grid mapping variable, for all grid mappings of CF 1.11, appendix
/// F. GDAL reads most of them since 3.9; this gives the same result in all versions. Lengths are in metres;
/// `metres_per_unit` is the unit of the coordinates, 0 if it is not known.
///
/// The datum is WGS 84 if there is no ellipsoid, and if the ellipsoid is that of WGS 84 and no datum is named. Returns
/// null without a `grid_mapping_name`. Throws zarr::Error for an unknown grid mapping, and for missing or invalid
/// parameters.
SpatialRef ReadCfProjection(const zarr::JsonNode& attributes, double metres_per_unit);

/// Returns true if the attributes say which ellipsoid the grid mapping is based on.
bool HasCfEllipsoid(const zarr::JsonNode& attributes);

}  // namespace gdal_zarr
