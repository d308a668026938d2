// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/georeferencing/geo_context.h"

/// Reads the georeferencing of arrays, by the conventions in their order of precedence.
namespace gdal_zarr {

/// Reads the SRS by the first convention that the array uses. Warns, once, about other conventions with a different
/// SRS; if not null, `*contradicted` is true if there was one.
///
/// Invalid metadata cause a warning, here and in the functions below. Metadata that cannot be read throw
/// zarr::Error(io), because wrong georeferencing is worse than none.
SpatialRef ReadSpatialRef(const GeoContext& context, bool* contradicted = nullptr);

/// Returns true if the array, its groups or the PAM file specify an SRS, so that a variable `spatial_ref` that the
/// array does not name is not needed for it.
bool StatesSpatialRef(const GeoContext& context);

/// A geotransform, and its source, for a message.
struct StatedTransform {
  std::string source;
  GeoTransform transform;
};
/// Reads the geotransforms that conventions specify by other means than coordinate arrays, in their order of
/// precedence.
std::vector<StatedTransform> ReadStatedTransforms(const GeoContext& context, const RasterAxes& axes);
/// Reads the SRS of an array that is not a raster. Only its own attributes and the PAM file count, because an SRS of a
/// group applies to rasters.
SpatialRef ReadOwnSpatialRef(const GeoContext& context);
/// Reads transforms from properties for which no convention is declared. They have the lowest precedence.
std::vector<StatedTransform> ReadUndeclaredTransforms(const GeoContext& context, const RasterAxes& axes);

/// Determines which dimensions are Y and X by a convention. Returns nullopt if no convention specifies them, or, with a
/// warning, if the array does not have the dimensions.
std::optional<RasterAxes> ReadRasterAxes(const GeoContext& context, const std::vector<std::string>& dimension_names);

/// Returns true if the variable named by `grid_mapping` exists and has an SRS or a geotransform.
bool HasGridMapping(const GeoContext& context);

/// Reads the registration by the convention that defines one.
Registration ReadRegistration(const GeoContext& context);

/// Returns true, with a warning, if the metadata that declare an overview show that its extent differs from its
/// array's.
bool IsElsewhere(const GeoContext& array, const GeoContext& overview, const RasterAxes& axes);

}  // namespace gdal_zarr
