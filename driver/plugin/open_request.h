#pragma once

#include <string>

#include "driver/dataset/open_options.h"
#include "driver/gdal/dataset_name.h"

namespace gdal_zarr {

/// What is to be opened, and how.
struct OpenRequest {
  DatasetName name;
  OpenOptions options;
  /// The group to open if the name gives no array; "" for the store's root.
  std::string group;
};

}  // namespace gdal_zarr
