// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Gives the dimension "Band" of a new array the name and the coordinates that its bands tell in their metadata, as in
/// `FindBandDimensions`. Programs such as gdalwarp set these when the array is there already. Removes from the array's
/// attributes what the coordinates tell then. Does nothing unless the coordinates tell all that the metadata of the
/// bands tell, in the same words, and in the order of the bands; if the bands count several dimensions, which would
/// take another shape; if the store has groups, whose levels of a pyramid have the dimension, too, or another array
/// that has it; or if the new name is taken, or is no name of an array. After an error the bands have their metadata.
/// Throws zarr::Error.
void NameDimensionOfBands(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                          GDALDataset& dataset);

}  // namespace gdal_zarr
