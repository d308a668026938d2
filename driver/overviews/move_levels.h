// SPDX-License-Identifier: MIT
#pragma once

#include "driver/overviews/overview_base.h"

namespace gdal_zarr {

/// Gives the levels of an array's pyramid, and the layout, the place that the array now has. Does nothing if the array
/// has no pyramid, or one with levels outside of the groups that this driver makes for them. Throws zarr::Error.
void MoveLevels(const OverviewBase& base);

}  // namespace gdal_zarr
