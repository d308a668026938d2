// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

class SharedResource;

/// Gives the dimension "Band" of a new array the name and the coordinates that its bands tell in their metadata, as in
/// `FindBandDimensions`. Programs such as gdalwarp set these when the array is there already. Removes from the array's
/// attributes what the coordinates tell then. Does nothing if the bands count several dimensions, which would take
/// another shape, if the store has something of that name, or groups, whose levels of a pyramid have the dimension,
/// too. Throws zarr::Error.
void NameDimensionOfBands(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                          GDALDataset& dataset);

}  // namespace gdal_zarr
