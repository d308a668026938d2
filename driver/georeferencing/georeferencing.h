// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// An SRS whose first coordinate is along X, whatever the authority says. Functions return null only if there is none.
using SpatialRef = std::unique_ptr<OGRSpatialReference>;

/// GDAL's six numbers for the corners of pixels: X of the origin, X per column, X per row, Y of the origin, Y per
/// column, Y per row.
using GeoTransform = std::array<double, 6>;

/// The indices of an array's dimensions X and Y; `y` is the array's rank if it has no Y.
struct RasterAxes {
  std::size_t x = 0;
  std::size_t y = 0;
};

/// The names of the dimensions Y and X.
struct SpatialAxes {
  std::string y;
  std::string x;
};

class GeoZarrProperties;

/// The input of the conventions: an array among the other nodes of its store.
struct GeoContext {
  SharedResource& nodes;
  const zarr::Array& array;
  /// The dimension X, whose coordinates may have a unit; null if it is not known.
  const GDALDimension* x = nullptr;
  /// Whether two dimensions are known to be X and Y. What a group, or a variable beside the array, says of an SRS holds
  /// for such an array only: not for bounds, times or sections.
  bool has_axes = true;
  mutable std::shared_ptr<const GeoZarrProperties> geozarr = {};  ///< The result of ReadGeoZarr.

  /// Finds an attribute of the array by its name.
  std::optional<zarr::JsonNode> FindAttribute(std::string_view name) const;
  /// Returns the path of the group that holds the array.
  std::string GetGroupPath() const;
  /// Reads the properties of GeoZarr's conventions, in the first call only. Throws zarr::Error.
  const GeoZarrProperties& ReadGeoZarr() const;
};

/// One way to express where an array lies: a row of the table in georeferencing.cpp. The first rows take precedence.
struct Convention {
  const char* name;
  /// Reads the array's SRS; null if this convention is not used.
  SpatialRef (*read_spatial_ref)(const GeoContext& context);
  /// Reads what the array itself says by this convention, to be compared with the SRS of a former one; may be null.
  SpatialRef (*read_stated)(const GeoContext& context);
  /// Reads the array's geotransform, if it is expressed other than by coordinate arrays.
  std::optional<GeoTransform> (*read_geotransform)(const GeoContext& context, const RasterAxes& axes);
};

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

/// The parts of the plane that values belong to.
enum class Registration { kUnknown, kAreas, kPoints };

/// Reads the registration by a convention that has one.
Registration ReadRegistration(const GeoContext& context);

/// Whether an overview does not have its array's extent, by the metadata that declare it as an overview.
bool IsElsewhere(const GeoContext& array, const GeoContext& overview, const RasterAxes& axes);

/// Parses WKT, PROJJSON, a CRS URL or "EPSG:n"; for other texts, warns and returns null. Never opens files or
/// connections.
SpatialRef ParseSpatialRef(const std::string& text);
/// Parses a string, PROJJSON or the number of an EPSG code in metadata; the warning tells its place there.
SpatialRef ParseSpatialRef(const zarr::JsonNode& form);
/// Parses several forms of one SRS. Returns the first that can be parsed, or null; warns, once, of those that cannot,
/// and of those that say another SRS.
SpatialRef ParseForms(const GeoContext& context, std::span<const zarr::JsonNode> forms);

/// Returns the SRS with its axes mapped to the dimensions of a multidimensional array.
SpatialRef MapToDimensions(const OGRSpatialReference& srs, std::size_t x_dimension, std::size_t y_dimension);

}  // namespace gdal_zarr
