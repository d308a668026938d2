// SPDX-License-Identifier: MIT
#pragma once

#include "driver/dataset/shared_resource.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Warns, once in the life of the dataset, of attributes of an array that change its values or its place, and that
/// cannot be used because they have another form. Those of the nodata value and of CRS are looked at where they are
/// read.
void CheckAttributes(SharedResource& resource, const zarr::Array& array);

}  // namespace gdal_zarr
