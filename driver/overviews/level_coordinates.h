// SPDX-License-Identifier: MIT
#pragma once

#include "driver/overviews/overview_base.h"

namespace gdal_zarr {

/// Writes the coordinates of a level next to it, one array for each dimension along which the base has a coordinate
/// array next to it. `has_axes`: the arrays of X and Y have been written. Removes those of X and Y that the base has
/// lost.
///
/// Along X and Y, the numbers of a regular axis are the centres of the level's pixels; for an irregular axis, the
/// base's number in the middle of each pixel is used. Along other dimensions, the coordinates are those of the base. A
/// node of another kind at the path of such an array is kept. Throws zarr::Error.
void SaveLevelCoordinates(const OverviewBase& base, const zarr::Array& level, bool has_axes);

}  // namespace gdal_zarr
