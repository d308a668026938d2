// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Makes GDAL split the names of subdatasets, ZARR:"<store>":<array>, into their parts (since GDAL 3.8).
void SetSubdatasetInfo(GDALDriver* driver);

}  // namespace gdal_zarr
