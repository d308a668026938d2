// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "driver/create/band_dimensions.h"

namespace gdal_zarr {

/// Replaces the coordinates of the source's band dimensions by the arrays that the source has for them, if it is a
/// raster of this driver, or a virtual dataset of such a raster: with their type, packing, missing values and
/// attributes, which bands do not tell. Leaves those alone of which the bands tell something else, for instance because
/// a user has changed it. Throws zarr::Error.
void TakeOwnCoordinates(GDALDataset& source, std::vector<BandDimension>* dimensions);

}  // namespace gdal_zarr
