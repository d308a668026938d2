// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Lets GDAL split the names of subdatasets, ZARR:"<store>":<array>, into their parts (from GDAL 3.8 on).
void SetSubdatasetInfo(GDALDriver* driver);

}  // namespace gdal_zarr
