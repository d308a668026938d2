// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Declares the driver's commands of GDAL's program `gdal`, and of `gdal.alg.driver.zarr` in Python, under the names
/// that GDAL's built-in driver has used since GDAL 3.13: `gdal driver zarr add-georeferencing-convention`. Does nothing
/// for earlier versions of GDAL.
void DeclareCommands(GDALDriver* driver);

}  // namespace gdal_zarr
