// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driver/create/netcdf_items.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Makes a view of a raster with the metadata items that NetcdfItems lists, the only difference. Both arguments must
/// outlive the view.
std::unique_ptr<GDALDataset> MakeNetcdfView(GDALDataset& source, const NetcdfItems& items);

}  // namespace gdal_zarr
