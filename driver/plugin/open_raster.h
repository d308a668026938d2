#pragma once

#include <memory>

#include "driver/gdal/gdal_compat.h"
#include "driver/plugin/open_request.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// What GDAL gets for OF_RASTER: the array that the name says, else the only one that can be the main one, else a
/// dataset without bands that lists the arrays as subdatasets and has the group's attributes as metadata. The caller
/// owns it. Throws zarr::Error.
GDALDataset* OpenRaster(const OpenRequest& request, std::shared_ptr<zarr::Hierarchy> hierarchy, GDALOpenInfo* info);

}  // namespace gdal_zarr
