// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// GDALDriver::pfnOpen.
GDALDataset* Open(GDALOpenInfo* info);

}  // namespace gdal_zarr
