// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driver/create/netcdf/netcdf_items.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns a view of a raster that differs only in its metadata items, which are those listed by NetcdfItems. Both
/// arguments must outlive the view.
std::unique_ptr<GDALDataset> MakeNetcdfView(GDALDataset& source, const NetcdfItems& items);

}  // namespace gdal_zarr
