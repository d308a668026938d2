// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns false for a numeric attribute that GDAL shows as one number although its file stores none: GDAL's netCDF and
/// HDF5 drivers read it by leaving what was in the memory.
bool HasValue(const GDALAttribute& attribute);

}  // namespace gdal_zarr
