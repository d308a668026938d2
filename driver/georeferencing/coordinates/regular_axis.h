#pragma once

#include <optional>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The edges of pixels that are equally wide: `first + i * step`.
struct RegularAxis {
  double first = 0;
  double step = 0;
};

/// The edges of pixels: halfway between the centres that `coordinates` has, of one dimension, unless `bounds`, whose
/// row i has the two ends of cell i, in either order (CF 1.11, section 7.1), has others. Either may be null.
///
/// Nothing if what is there is not numeric, if a single centre has no bounds, or if the differences of neighbours
/// differ by more than a thousandth of the step, and by more than the type's own rounding. Values of floating-point
/// types with few digits count as the regular numbers that they were rounded from, if such are found. Longitudes may
/// jump by a whole turn; the axis then goes on without, and its middle is one from -180 to 180.
std::optional<RegularAxis> ReadPixelEdges(const GDALMDArray* coordinates, const GDALMDArray* bounds);

}  // namespace gdal_zarr
