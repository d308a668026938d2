// SPDX-License-Identifier: MIT
#pragma once

#include "driver/overviews/overview_base.h"

namespace gdal_zarr {

/// Updates the georeferencing of the levels of an array's pyramid, and the layout, to the array's current
/// georeferencing. Does nothing if the array has no pyramid. Warns, and leaves the levels as they are, if they are
/// outside of the groups that this driver creates. Throws zarr::Error.
void MoveLevels(const OverviewBase& base);

}  // namespace gdal_zarr
