// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/dimension_objects.h"

namespace gdal_zarr {

std::shared_ptr<GDALDimension> DimensionObjects::Add(const std::string& full_name,
                                                     const std::shared_ptr<GDALDimension>& dimension,
                                                     Comparison are_same) {
  const std::lock_guard lock(mutex_);
  auto& objects = objects_[full_name];
  std::erase_if(objects, [](const auto& object) { return object.expired(); });
  for (const auto& object : objects) {
    if (auto known = object.lock(); known && are_same(*known, *dimension)) return known;
  }
  objects.push_back(dimension);
  return dimension;
}

}  // namespace gdal_zarr
