// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Gives the dimensions X and Y of an array in a read-only dataset coordinates that are computed from the array's
/// geotransform, if neither has coordinates in the store, and if it is not rotated: GDAL's multidimensional API has no
/// other place for it. They are looked for when they are asked for. Does nothing for the dimensions of other drivers,
/// and before GDAL 3.13, whose programs fail on them.
void ComputeCoordinates(const std::shared_ptr<SharedResource>& resource,
                        const std::shared_ptr<const zarr::Array>& array,
                        const std::vector<std::shared_ptr<GDALDimension>>& dimensions);

}  // namespace gdal_zarr
