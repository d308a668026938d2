// SPDX-License-Identifier: MIT
#pragma once

#include "driver/overviews/overview_base.h"

namespace gdal_zarr {

/// Writes the coordinates of a level beside it, one array for each dimension along which the base has an array of
/// coordinates beside it. `has_axes`: those of X and Y have been written. Along X and Y the numbers of a regular axis
/// are the centres of the level's pixels; of an irregular axis, the base's number in the middle of each pixel is taken.
/// Along other dimensions they are those of the base. A node of another kind in the place of such an array stays.
/// Throws zarr::Error.
void SaveLevelCoordinates(const OverviewBase& base, const zarr::Array& level, bool has_axes);

}  // namespace gdal_zarr
