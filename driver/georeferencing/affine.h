#pragma once

#include <cstdint>
#include <optional>

#include "driver/georeferencing/georeferencing.h"
#include "zarrlib/json/json_node.h"

/// Transforms as attributes have them. Those that refer to the centres of pixels have them at whole numbers of columns
/// and rows, the others corners. All that take a JsonNode throw zarr::Error for what is none.
namespace gdal_zarr {

/// Columns and rows of a level in those of another one: other = scale * own + offset.
struct AxisStep {
  double scale = 1;
  double offset = 0;
};

/// In the order a, b, c, d, e, f of x = a * column + b * row + c, y = d * column + e * row + f.
GeoTransform ReadAffine(const zarr::JsonNode& numbers);
/// As ReadAffine; the last row of the matrix, 0, 0, 1, may follow.
GeoTransform ReadAffineOrMatrix(const zarr::JsonNode& numbers);
/// [xmin, ymin, xmax, ymax] over a raster of that size, whose first row is the northern one. Nothing for centres of one
/// column or row.
std::optional<GeoTransform> ReadBox(const zarr::JsonNode& box, std::uint64_t width, std::uint64_t height, bool centres);

/// The transform of corners from one of centres, and the reverse.
GeoTransform FromCentres(const GeoTransform& transform);
GeoTransform ToCentres(const GeoTransform& transform);

/// The transform of a level from that of another one.
GeoTransform OfLevel(const GeoTransform& other, const AxisStep& column, const AxisStep& row);

}  // namespace gdal_zarr
