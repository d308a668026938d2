#pragma once

#include "driver/georeferencing/georeferencing.h"

/// The readers of the conventions, one file each.
namespace gdal_zarr {

/// GDAL's own `_CRS`: an object with `url`, `wkt` or `projjson`, or a plain string.
SpatialRef ReadGdalSpatialRef(const GeoContext& context);

/// CF: the attributes of the variable that `grid_mapping` names.
SpatialRef ReadCfSpatialRef(const GeoContext& context);
/// rioxarray's `GeoTransform` attribute of that variable.
std::optional<GeoTransform> ReadCfGeoTransform(const GeoContext& context);

}  // namespace gdal_zarr
