// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>

#include "driver/dataset/shared_resource.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/raster/raster_view.h"

namespace gdal_zarr {

class MDArray;

/// The parts of a raster dataset, for the classes that work on it. All parts must outlive these classes.
struct RasterParts {
  GDALDataset& dataset;
  const std::shared_ptr<GDALMDArray>& array;  ///< Another object after the array has been replaced.
  RasterView& view;
  const std::shared_ptr<SharedResource>& resource;
};

/// Returns the array as this driver's object. Every array that can be changed is one; throws Error(read_only) for
/// others.
MDArray& GetOwnArray(const RasterParts& raster);

/// Runs a change of the array's attributes that is saved when the dataset is flushed. Reports errors to GDAL.
CPLErr ChangeArray(const RasterParts& raster, const std::function<void(MDArray&)>& change);
/// Runs a change of the array, then shows its new metadata. Reports errors to GDAL.
CPLErr ChangeAndShow(const RasterParts& raster, const std::function<void(MDArray&)>& change);

}  // namespace gdal_zarr
