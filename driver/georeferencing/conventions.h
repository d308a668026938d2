#pragma once

#include "driver/georeferencing/georeferencing.h"

/// The readers of the conventions, one file each.
namespace gdal_zarr {

/// GDAL's own `_CRS`: an object with `url`, `wkt` or `projjson`, or a plain string.
SpatialRef ReadGdalSpatialRef(const GeoContext& context);
std::optional<GeoTransform> ReadGdalGeoTransform(const GeoContext& context, const RasterAxes& axes);

/// CF: the attributes of the variable that `grid_mapping` names.
SpatialRef ReadCfSpatialRef(const GeoContext& context);
/// rioxarray's `GeoTransform` attribute of that variable.
std::optional<GeoTransform> ReadCfGeoTransform(const GeoContext& context, const RasterAxes& axes);

/// GeoZarr's conventions `proj` and `spatial`, declared by the array or by the group that holds it.
SpatialRef ReadProjSpatialRef(const GeoContext& context);
std::optional<SpatialAxes> ReadSpatialAxes(const GeoContext& context);
/// The transform of pixels' corners, whatever the registration.
std::optional<GeoTransform> ReadSpatialGeoTransform(const GeoContext& context, const RasterAxes& axes);
bool SpatialRegistrationIsNode(const GeoContext& context);

/// EOPF: the properties of STAC's projection extension in the attributes of the array, of the groups above it, or in
/// the root's `stac_discovery`.
SpatialRef ReadEopfSpatialRef(const GeoContext& context);

}  // namespace gdal_zarr
