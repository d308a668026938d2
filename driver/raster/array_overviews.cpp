// SPDX-License-Identifier: MIT
#include "driver/raster/array_overviews.h"

#include "driver/multidim/stale_overviews.h"
#include "driver/overviews/find_overviews.h"
#include "driver/raster/raster_dataset.h"

namespace gdal_zarr {
namespace {

/// Returns the options for a raster of the whole array: overviews are those of all slices.
OpenOptions GetOptionsOfAll(const SharedResource& resource) {
  OpenOptions options = resource.options();
  options.select.clear();
  return options;
}

}  // namespace

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

CPLErr MoveArrayLevels(MDArray& array, const std::shared_ptr<GDALMDArray>& self) {
  const auto& resource = array.resource();
  const zarr::Shape& shape = array.array().shape();
  // Levels get their georeferencing when they get elements.
  if (zarr::ComputeProduct(shape) == 0 || FindLevelsOfBase(*resource, array.array()).empty()) return CE_None;
  // All slices have the same georeferencing, and there may be too many for bands.
  SliceRequest first_slice;
  first_slice.indices.assign(shape.size() - 2, 0);
  try {
    RasterDataset raster(resource, self, array.shared_array(), GetOptionsOfAll(*resource), first_slice);
    raster.EnableUpdate();
    return raster.georeferencing().MoveLevelsToStored();
  } catch (const zarr::Error& error) {
    if (error.kind() != zarr::ErrorKind::kInvalidArgument) throw;
    // The array has its CRS, and is not one that can be a raster.
    resource->WarnOnce(array.GetFullName() + ": its overviews keep their georeferencing: " + error.what());
    return CE_None;
  }
}

CPLErr RefreshArrayOverviews(const std::shared_ptr<SharedResource>& resource, const std::string& path) {
  const std::shared_ptr<MDArray> array = MDArray::Make(resource, path);
  array->ReadAgain();
  const bool may_be_stale = array->array().rank() >= 2 && (!DescribeStale(array->array()).empty() ||
                                                           !FindLevelsOfBase(*resource, array->array()).empty());
  if (!may_be_stale || array->array().metadata().zarr_format <= zarr::ZarrFormat::kV1) return CE_None;
  RasterDataset raster(resource, array, array->shared_array(), GetOptionsOfAll(*resource), {});
  raster.EnableUpdate();
  const CPLErr refreshed = raster.RefreshOverviews();
  return raster.SaveAll(false) == CE_None ? refreshed : CE_Failure;
}

}  // namespace gdal_zarr
