// SPDX-License-Identifier: MIT
#pragma once

#include "driver/georeferencing/geo_context.h"

/// The readers of the conventions, one file each.
namespace gdal_zarr {

/// GDAL's `_CRS`: an object with `url`, `wkt` or `projjson`, or a string.
SpatialRef ReadGdalSpatialRef(const GeoContext& context);
std::optional<GeoTransform> ReadGdalGeoTransform(const GeoContext& context, const RasterAxes& axes);

/// CF: the attributes of the variable named by `grid_mapping`; without `grid_mapping`, those of `spatial_ref` if the
/// `coordinates` name it.
SpatialRef ReadCfSpatialRef(const GeoContext& context);
/// rioxarray's `GeoTransform` attribute of that variable.
std::optional<GeoTransform> ReadCfGeoTransform(const GeoContext& context, const RasterAxes& axes);

/// rioxarray's default: the variable `spatial_ref` next to an array that has coordinates, but no grid mapping.
SpatialRef ReadUsualSpatialRef(const GeoContext& context);

/// The attributes `crs` and `transform`, as written by xarray's open_rasterio.
SpatialRef ReadRasterioSpatialRef(const GeoContext& context);
std::optional<GeoTransform> ReadRasterioGeoTransform(const GeoContext& context, const RasterAxes& axes);

/// GeoZarr's conventions `proj` and `spatial`, declared by the array or by its group.
SpatialRef ReadProjSpatialRef(const GeoContext& context);
std::optional<SpatialAxes> ReadSpatialAxes(const GeoContext& context);
/// Returns the transform of corners, whatever the registration.
std::optional<GeoTransform> ReadSpatialGeoTransform(const GeoContext& context, const RasterAxes& axes);
Registration ReadSpatialRegistration(const GeoContext& context);

/// EOPF. Reads the first of these that exists:
/// - properties of STAC's projection extension, in the attributes of the array or of the groups above it;
/// - the root's `stac_discovery`, `other_metadata` and `spatial_ref`;
/// - the names of Sentinel-2's tiles.
SpatialRef ReadEopfSpatialRef(const GeoContext& context);
/// EOPF: only the properties in the array's own attributes.
SpatialRef ReadOwnEopfSpatialRef(const GeoContext& context);
/// EOPF: `proj:transform`, otherwise `proj:bbox`, of the array or of its group.
std::optional<GeoTransform> ReadEopfGeoTransform(const GeoContext& context, const RasterAxes& axes);

/// The file `pam.aux.xml` next to the root's metadata. GDAL's built-in driver saves the SRS there for three-dimensional
/// arrays, and for others without a better location for it. Not read from remote stores, or with GDAL_PAM_ENABLED=NO.
SpatialRef ReadPamSpatialRef(const GeoContext& context);

}  // namespace gdal_zarr
