// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driver/multidim/md_array.h"

namespace gdal_zarr {

/// Replaces an array's overviews for MDArray::BuildOverviews. Opens the array as a raster, which computes the
/// overviews. Reports errors to GDAL, or throws zarr::Error if the array cannot be a raster.
CPLErr BuildArrayOverviews(MDArray& array, const std::shared_ptr<GDALMDArray>& self,
                           const MDArray::OverviewArguments& arguments);

/// Gives an array's overviews its stored georeferencing; does nothing if there are none. Reports errors to GDAL, or
/// throws zarr::Error.
CPLErr MoveArrayLevels(MDArray& array, const std::shared_ptr<GDALMDArray>& self);

/// Computes the stale parts of an array's overviews again; does nothing if there are none. Reports errors to GDAL, or
/// throws zarr::Error.
CPLErr RefreshArrayOverviews(const std::shared_ptr<SharedResource>& resource, const std::string& path);

}  // namespace gdal_zarr
