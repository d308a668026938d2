#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// A SRS in which the first coordinate is that along X, whatever the authority says; never null where it is returned.
using SpatialRef = std::unique_ptr<OGRSpatialReference>;

/// GDAL's six numbers: X of the origin, X per column, X per row, Y of the origin, Y per column, Y per row, of the
/// corners of pixels.
using GeoTransform = std::array<double, 6>;

/// The dimensions of an array that are X and Y, counted from 0; `y` is the array's rank if it has none.
struct RasterAxes {
  std::size_t x = 0;
  std::size_t y = 0;
};

/// The names of dimensions.
struct SpatialAxes {
  std::string y;
  std::string x;
};

class GeoZarrProperties;

/// What the conventions look at: an array among the other nodes of its store.
struct GeoContext {
  SharedResource& nodes;
  const zarr::Array& array;
  /// The dimension that is X, of which the coordinates may have a unit; null where it is not known.
  const GDALDimension* x = nullptr;
  mutable std::shared_ptr<const GeoZarrProperties> geozarr = {};  ///< What `GeoZarr` found.

  /// The array's attribute, if it has one of that name.
  std::optional<zarr::JsonNode> Attribute(std::string_view name) const;
  /// The path of the group that the array is in.
  std::string GroupPath() const;
  /// What GeoZarr's conventions say; looked for once. Throws zarr::Error.
  const GeoZarrProperties& GeoZarr() const;
};

/// One way to say where an array lies. A row of the table in georeferencing.cpp; those that come first go first.
struct Convention {
  const char* name;
  /// The array's SRS, or nothing if this convention does not say.
  SpatialRef (*read_spatial_ref)(const GeoContext& context);
  /// Its geotransform, where it is said other than by coordinate arrays.
  std::optional<GeoTransform> (*read_geotransform)(const GeoContext& context, const RasterAxes& axes);
};

/// From the first convention that says. Nothing in metadata makes these, and those below, throw: what is wrong is a
/// warning. What cannot be read throws zarr::Error(io): another place than the array's is worse than none.
SpatialRef ReadSpatialRef(const GeoContext& context);
std::optional<GeoTransform> ReadGeoTransform(const GeoContext& context, const RasterAxes& axes);
/// What is to be asked only where coordinate arrays do not say: properties that no convention is declared for.
std::optional<GeoTransform> ReadUndeclaredGeoTransform(const GeoContext& context, const RasterAxes& axes);

/// The dimensions that a convention says are Y and X; nothing where none does, or where the array has no such ones, of
/// which the user is warned.
std::optional<RasterAxes> ReadRasterAxes(const GeoContext& context, const std::vector<std::string>& dimension_names);

/// Whether the variable that `grid_mapping` names is there, and says where the array lies: its SRS or its geotransform.
bool HasGridMapping(const GeoContext& context);

/// Whether a convention says that values belong to points, not to areas.
bool IsPointRegistered(const GeoContext& context);

/// Whether a smaller version of an array does not have its extent, by what says that it is one.
bool IsElsewhere(const GeoContext& array, const GeoContext& smaller, const RasterAxes& axes);

/// From WKT, PROJJSON, a CRS URL, "EPSG:n"; nothing, with a warning, for anything else. Never opens a file or a network
/// connection.
SpatialRef ParseSpatialRef(const std::string& text);
/// The same from a string, or PROJJSON, in metadata: the warning says where it stands.
SpatialRef ParseSpatialRef(const zarr::JsonNode& form);

/// The same SRS for a multidimensional array, whose axes are counted from 1 in the order of its dimensions.
SpatialRef ForDimensions(const OGRSpatialReference& srs, std::size_t x_dimension, std::size_t y_dimension);

}  // namespace gdal_zarr
