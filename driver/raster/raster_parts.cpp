// SPDX-License-Identifier: MIT
#include "driver/raster/raster_parts.h"

#include "driver/gdal/gdal_error.h"
#include "driver/multidim/md_array.h"

namespace gdal_zarr {

MDArray& GetOwnArray(const RasterParts& raster) {
  auto* array = AsOwnMDArray(raster.array.get());
  if (!array) throw zarr::Error(zarr::ErrorKind::kReadOnly, "this dataset is a view that cannot be changed");
  return *array;
}

CPLErr ChangeArray(const RasterParts& raster, const std::function<void(MDArray&)>& change) {
  return GuardChange([&] {
    raster.resource->CheckWritable();
    raster.resource->edits().saving.Attempt([&] { change(GetOwnArray(raster)); });
    return CE_None;
  });
}

CPLErr ChangeAndShow(const RasterParts& raster, const std::function<void(MDArray&)>& change) {
  return GuardChange([&] {
    if (ChangeArray(raster, change) != CE_None) return CE_Failure;
    raster.view.Replace(GetOwnArray(raster).shared_array());
    return CE_None;
  });
}

}  // namespace gdal_zarr
