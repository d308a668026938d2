#pragma once

#include <optional>

#include "driver/gdal_compat.h"

namespace gdal_zarr {

/// Coordinates of pixel centres that are equally spaced: `first + i * step`.
struct RegularAxis {
  double first = 0;
  double step = 0;
};

/// Reads a 1-d coordinate array. Nothing if it is not numeric, has fewer than two values, or if neighbours differ by
/// more than a thousandth of the step from being equally spaced. Float32 values count as the decimal numbers that they
/// are closest to.
std::optional<RegularAxis> ReadRegularAxis(const GDALMDArray& coordinates);

/// Reads a CF `bounds` array, whose row i has the two ends of cell i, in either order. Cell i is from
/// `first + i * step` to `first + (i + 1) * step`, within the same tolerance; nothing if the cells are not so.
std::optional<RegularAxis> ReadRegularCells(const GDALMDArray& bounds);

/// The edges of pixels, `first + i * step`: halfway between the centres that `coordinates` has, unless `bounds` has
/// others. Either may be null.
std::optional<RegularAxis> ReadPixelEdges(const GDALMDArray* coordinates, const GDALMDArray* bounds);

}  // namespace gdal_zarr
