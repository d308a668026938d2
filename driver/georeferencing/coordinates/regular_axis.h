// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Degrees of longitude.
inline constexpr double kTurn = 360;

/// The edges of pixels of equal width: `first + i * step`.
struct RegularAxis {
  double first = 0;
  double step = 0;
  double rounding = 0;  ///< How far an edge may be from the intended one, because of the coordinates' type.
};

/// Reads the edges of pixels. One-dimensional `coordinates` have the centres, and the edges are halfway between them.
/// `bounds`, whose row i has the two ends of cell i in either order (CF 1.11, section 7.1), takes precedence. Either
/// may be null.
///
/// Returns nullopt if
/// - the values are not numeric,
/// - there is a single centre without bounds, or
/// - neighbours are not equally far apart, to a thousandth of the step or to the rounding of the type.
///
/// Values of floating-point types with few digits are treated as the regular numbers from which they may have been
/// rounded. Longitudes may jump by 360°; the axis then continues without the jump; see CoordinateValues::WithoutJumps.
std::optional<RegularAxis> ReadPixelEdges(const GDALMDArray* coordinates, const GDALMDArray* bounds);

}  // namespace gdal_zarr
