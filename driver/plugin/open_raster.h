// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driver/gdal/gdal_compat.h"
#include "driver/plugin/open_request.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// Creates the dataset that GDAL gets for OF_RASTER: the array that the name specifies; otherwise the main array;
/// otherwise a dataset without bands, whose subdatasets are the arrays and whose metadata consists of the group's
/// attributes. The caller owns it. Throws zarr::Error.
GDALDataset* OpenRaster(const OpenRequest& request, std::shared_ptr<zarr::Hierarchy> hierarchy, GDALOpenInfo* info);

}  // namespace gdal_zarr
