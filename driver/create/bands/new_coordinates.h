// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "driver/create/band_dimensions.h"

namespace gdal_zarr {

class SharedResource;

/// Creates the coordinates of a new array's dimensions, at the root of the store. Existing coordinates of that name are
/// kept, and must have these values (`HasOtherCoordinates`). Throws zarr::Error.
void CreateBandCoordinates(SharedResource& resource, const std::vector<BandDimension>& dimensions);

/// Returns true if the store has a node of the dimension's name that is not its coordinates: coordinates are the same
/// if all that they say is, whether they are packed or not. Throws zarr::Error.
bool HasOtherCoordinates(SharedResource& resource, const BandDimension& dimension);

}  // namespace gdal_zarr
