// SPDX-License-Identifier: MIT
#pragma once

#include "driver/dataset/shared_resource.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Warns, once per dataset, of array attributes that affect values or georeferencing and cannot be used because they
/// have an unexpected form. Attributes for the nodata value and the CRS are checked where they are read.
void CheckAttributes(SharedResource& resource, const zarr::Array& array);

}  // namespace gdal_zarr
