// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"

/// The input and output of the readers of georeferencing conventions.
namespace gdal_zarr {

/// An SRS whose first coordinate is along X, whatever the authority specifies. Functions return null only if there is
/// none.
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
  /// True if two dimensions are known to be X and Y. An SRS from a group, or from a variable next to the array, applies
  /// only to such an array: not to bounds, times or sections.
  bool has_axes = true;
  mutable std::shared_ptr<const GeoZarrProperties> geozarr = {};  ///< The result of ReadGeoZarr.

  /// Finds an attribute of the array by its name.
  std::optional<zarr::JsonNode> FindAttribute(std::string_view name) const;
  /// Returns the path of the group that contains the array.
  std::string GetGroupPath() const;
};

/// The parts of the plane that values represent.
enum class Registration { kUnknown, kAreas, kPoints };

/// Parses WKT, PROJJSON, a CRS URL or "EPSG:n". For other text, warns and returns null. Never opens files or
/// connections.
SpatialRef ParseSpatialRef(const std::string& text);
/// Parses a string, PROJJSON or the number of an EPSG code in metadata; the warning includes its location.
SpatialRef ParseSpatialRef(const zarr::JsonNode& form);
/// Parses several forms of one SRS. Returns the first one that can be parsed, or null. Warns, once, about those that
/// cannot be parsed, and about those that describe another SRS.
SpatialRef ParseForms(const GeoContext& context, std::span<const zarr::JsonNode> forms);

/// Returns the SRS with its axes mapped to the dimensions of a multidimensional array.
SpatialRef MapToDimensions(const OGRSpatialReference& srs, std::size_t x_dimension, std::size_t y_dimension);

}  // namespace gdal_zarr
