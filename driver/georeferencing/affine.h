// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "driver/georeferencing/geo_context.h"
#include "zarrlib/json/json_node.h"

/// Reads and converts transforms. In transforms of centres, the centres of pixels are at whole numbers of columns and
/// rows; in transforms of corners, the corners are. Functions with a JsonNode parameter throw zarr::Error if it has
/// another form.
namespace gdal_zarr {

/// Maps columns (or rows) of one level to those of another: other = scale * own + offset.
struct AxisStep {
  double scale = 1;
  double offset = 0;
};

/// Reads numbers in GDAL's order. Like the functions below, this accepts a list, or text with spaces or commas.
GeoTransform ReadGdalNumbers(const zarr::JsonNode& numbers);
/// Reads a, b, c, d, e, f of x = a * column + b * row + c, y = d * column + e * row + f.
GeoTransform ReadAffine(const zarr::JsonNode& numbers);
/// Like ReadAffine, but also accepts the last row of the matrix, 0, 0, 1, after the six numbers.
GeoTransform ReadAffineOrMatrix(const zarr::JsonNode& numbers);
/// Reads [xmin, ymin, xmax, ymax] of a raster of that size whose first row is the northern one. Returns nullopt if the
/// box is empty (some products have [0, 0, 0, 0]), or if it refers to centres and the raster has only one column or
/// row.
std::optional<GeoTransform> ReadBox(const zarr::JsonNode& box, std::uint64_t width, std::uint64_t height, bool centres);

/// Convert a transform of centres to one of corners, and back.
GeoTransform ToCorners(const GeoTransform& transform);
GeoTransform ToCentres(const GeoTransform& transform);

/// The numbers of columns and rows of a raster.
struct RasterSize {
  double width = 0;
  double height = 0;
};

/// The allowed distance between two positions that are meant to be the same: the sum of a fraction of a pixel and a
/// length.
struct PlaceTolerance {
  double pixels = 0;
  double x = 0;
  double y = 0;
};

/// Returns true if two transforms map the corners of a raster to the same positions.
bool AreSamePlace(const GeoTransform& a, const GeoTransform& b, const RasterSize& size,
                  const PlaceTolerance& tolerance);

/// Computes the transform of a level from the transform of another one.
GeoTransform ComputeLevelTransform(const GeoTransform& other, const AxisStep& column, const AxisStep& row);

}  // namespace gdal_zarr
