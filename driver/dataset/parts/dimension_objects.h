// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// The objects that represent the dimensions of a writable dataset, by the full names that they had when they were
/// added. Does not own them. Thread-safe.
class DimensionObjects {
 public:
  using Comparison = bool (*)(const GDALDimension& a, const GDALDimension& b);

  /// Adds a dimension and returns it, or returns one of that name that is in use and the same.
  std::shared_ptr<GDALDimension> Add(const std::string& full_name, const std::shared_ptr<GDALDimension>& dimension,
                                     Comparison are_same);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::vector<std::weak_ptr<GDALDimension>>> objects_;
};

}  // namespace gdal_zarr
