// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Declares the driver's commands of GDAL's program `gdal`, and of `gdal.alg.driver.zarr` in Python:
/// `gdal driver zarr add-georeferencing-convention`, which GDAL's built-in driver has had since GDAL 3.13, and those of
/// repository_commands.h. Does nothing before GDAL 3.11, whose drivers cannot have commands.
void DeclareCommands(GDALDriver* driver);

}  // namespace gdal_zarr
