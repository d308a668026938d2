#pragma once

#include <memory>

#include "driver/multidim/md_array.h"

namespace gdal_zarr {

/// Replaces an array's overviews, as MDArray::BuildOverviews says: the array is opened as a raster, which computes
/// them. Reports errors to GDAL, or throws zarr::Error for an array that cannot be a raster.
CPLErr BuildArrayOverviews(MDArray& array, const std::shared_ptr<GDALMDArray>& self,
                           const MDArray::OverviewArguments& arguments);

}  // namespace gdal_zarr
