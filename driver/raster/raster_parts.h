// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/raster/raster_view.h"

namespace gdal_zarr {

/// What a raster dataset consists of, for the classes that do its work. All parts live longer than these.
struct RasterParts {
  GDALDataset& dataset;
  const std::shared_ptr<GDALMDArray>& array;  ///< Another object after the array has been made anew.
  RasterView& view;
  SharedResource& resource;
};

}  // namespace gdal_zarr
