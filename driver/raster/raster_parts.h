// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/raster/raster_view.h"

namespace gdal_zarr {

/// The parts of a raster dataset, for the classes that work on it. All parts must outlive these classes.
struct RasterParts {
  GDALDataset& dataset;
  const std::shared_ptr<GDALMDArray>& array;  ///< Another object after the array has been replaced.
  RasterView& view;
  SharedResource& resource;
};

}  // namespace gdal_zarr
