// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "driver/georeferencing/geo_context.h"
#include "zarrlib/json/json_node.h"

/// Reading and converting transforms. Transforms of centres have the centres of pixels at whole numbers of columns and
/// rows; transforms of corners have the corners there. Functions that take a JsonNode throw zarr::Error if it has
/// another form.
namespace gdal_zarr {

/// Maps columns (or rows) of a level to those of another one: other = scale * own + offset.
struct AxisStep {
  double scale = 1;
  double offset = 0;
};

/// Reads numbers in GDAL's order. Like the functions below, this takes a list, or text with spaces or commas.
GeoTransform ReadGdalNumbers(const zarr::JsonNode& numbers);
/// Reads a, b, c, d, e, f of x = a * column + b * row + c, y = d * column + e * row + f.
GeoTransform ReadAffine(const zarr::JsonNode& numbers);
/// Does the same as ReadAffine, and accepts the last row of the matrix, 0, 0, 1, after the six numbers.
GeoTransform ReadAffineOrMatrix(const zarr::JsonNode& numbers);
/// Reads [xmin, ymin, xmax, ymax] of a raster of that size whose first row is the northern one. Returns nothing if the
/// box is one of centres and the raster has one column or row, or if the box is empty: products have [0, 0, 0, 0].
std::optional<GeoTransform> ReadBox(const zarr::JsonNode& box, std::uint64_t width, std::uint64_t height, bool centres);

/// Convert a transform of centres to one of corners, and back.
GeoTransform ToCorners(const GeoTransform& transform);
GeoTransform ToCentres(const GeoTransform& transform);

/// The numbers of a raster's columns and rows.
struct RasterSize {
  double width = 0;
  double height = 0;
};

/// How far apart two places may be that are meant to be the same: the sum of a part of a pixel and a length.
struct PlaceTolerance {
  double pixels = 0;
  double x = 0;
  double y = 0;
};

/// Whether two transforms give the corners of a raster the same places.
bool AreSamePlace(const GeoTransform& a, const GeoTransform& b, const RasterSize& size,
                  const PlaceTolerance& tolerance);

/// Computes the transform of a level from that of another one.
GeoTransform ComputeLevelTransform(const GeoTransform& other, const AxisStep& column, const AxisStep& row);

}  // namespace gdal_zarr
