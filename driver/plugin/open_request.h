// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string>

#include "driver/dataset/open_options.h"
#include "driver/gdal/dataset_name.h"

namespace gdal_zarr {

/// The object to open, and the way to open it.
struct OpenRequest {
  DatasetName name;
  OpenOptions options;
  /// The group to open if the name gives no array; "" for the store's root.
  std::string group;
  std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
};

}  // namespace gdal_zarr
