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
/// more than a thousandth of the step from being equally spaced.
std::optional<RegularAxis> ReadRegularAxis(const GDALMDArray& coordinates);

}  // namespace gdal_zarr
