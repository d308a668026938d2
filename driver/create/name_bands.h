// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Gives the dimension "Band" of a new array the name and the coordinates that the metadata of its bands define, as in
/// `FindBandDimensions`. Programs such as gdalwarp set this metadata after creating the array. Then removes the
/// metadata that is derived from the coordinates from the array's attributes.
///
/// Does nothing in the following cases:
/// - The coordinates do not reproduce all of the bands' metadata, with the same text and in the order of the bands.
/// - Several dimensions are spread over the bands, which would need another shape.
/// - The store has groups, where levels of a pyramid have the dimension, too, or another array that has it.
/// - The new name is taken, or is not valid for an array.
///
/// After an error, the bands keep their metadata. Throws zarr::Error.
void NameDimensionOfBands(const std::shared_ptr<SharedResource>& resource, const std::string& path,
                          GDALDataset& dataset);

}  // namespace gdal_zarr
