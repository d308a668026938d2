// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/georeferencing/geo_context.h"

/// Where arrays lie, by the conventions in their order of precedence.
namespace gdal_zarr {

/// Reads the SRS by the first convention that the array uses, and warns, once, of others that say another one;
/// `contradicted`, which may be null, tells whether there was one. Bad metadata give a warning, here and in the
/// functions below. Metadata that cannot be read throw zarr::Error(io), because a wrong position is worse than none.
SpatialRef ReadSpatialRef(const GeoContext& context, bool* contradicted = nullptr);

/// A geotransform, and what says it, for a message.
struct StatedTransform {
  std::string source;
  GeoTransform transform;
};
/// Reads the geotransforms that conventions state other than by coordinate arrays, in their order of precedence.
std::vector<StatedTransform> ReadStatedTransforms(const GeoContext& context, const RasterAxes& axes);
/// Reads the SRS of an array that is no raster: only its own attributes and the side file count, because what a group
/// says holds for rasters.
SpatialRef ReadOwnSpatialRef(const GeoContext& context);
/// Reads properties that no convention is declared for, and which come last.
std::vector<StatedTransform> ReadUndeclaredTransforms(const GeoContext& context, const RasterAxes& axes);

/// Reads which dimensions are Y and X by a convention. Returns nothing if none tells that, or, with a warning, if the
/// array does not have the dimensions.
std::optional<RasterAxes> ReadRasterAxes(const GeoContext& context, const std::vector<std::string>& dimension_names);

/// Whether the variable that `grid_mapping` names exists and has an SRS or a geotransform.
bool HasGridMapping(const GeoContext& context);

/// Reads the registration by a convention that has one.
Registration ReadRegistration(const GeoContext& context);

/// Whether an overview does not have its array's extent, by the metadata that declare it as an overview.
bool IsElsewhere(const GeoContext& array, const GeoContext& overview, const RasterAxes& axes);

}  // namespace gdal_zarr
