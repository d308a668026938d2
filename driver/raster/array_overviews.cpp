// SPDX-License-Identifier: MIT
#include "driver/raster/array_overviews.h"

#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {

CPLErr BuildArrayOverviews(MDArray& array, const std::shared_ptr<GDALMDArray>& self,
                           const MDArray::OverviewArguments& arguments) {
  RasterDataset raster(array.resource(), self, array.shared_array(), array.resource()->options(), {});
  raster.EnableUpdate();
  const CPLErr removed = raster.BuildOverviews("NONE", 0, nullptr, 0, nullptr, nullptr, nullptr, nullptr);
  if (removed != CE_None || arguments.factor_count == 0) return removed;
  const CPLErr built = raster.BuildOverviews(arguments.resampling, arguments.factor_count, arguments.factors, 0,
                                             nullptr, arguments.progress, arguments.progress_data, arguments.options);
  return raster.SaveAll(false) == CE_None ? built : CE_Failure;
}

}  // namespace gdal_zarr
