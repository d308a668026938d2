#pragma once

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Where GDAL asks drivers to take the names of subdatasets apart (from 3.8 on), answers for ZARR:"<store>":<array>.
void SetSubdatasetInfo(GDALDriver* driver);

}  // namespace gdal_zarr
