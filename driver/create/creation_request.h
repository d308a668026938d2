#pragma once

#include <string>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "driver/new_array/creation_options.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

class SharedResource;

/// What GDALDriver::Create was asked for. A value type.
struct CreationRequest {
  std::string store;
  int width = 0;
  int height = 0;
  int bands = 0;
  GDALDataType type = GDT_Unknown;
  CreationOptions options;

  std::string array_name() const;
  /// v1 cannot name dimensions: they are Band, Y, X.
  bool pixel_interleaved() const;
  /// Whether the array is to be the root of a new store, as in v1.
  bool is_root_array() const;
};

/// Throws zarr::Error for what no store can hold, and for options that do not go together.
void CheckRequest(const CreationRequest& request);

/// The arrays that a request makes, which are alike: one, or with SINGLE_ARRAY=NO one for each band.
struct RequestedArrays {
  std::vector<std::string> paths;
  zarr::ArrayMetadata metadata;
};

/// In a new store. Throws zarr::Error for what cannot be made: before it, nothing needs to be stored.
RequestedArrays ArraysOf(const CreationRequest& request);
/// The same beside arrays that are there: dimensions of other lengths, and those with coordinates, have other names.
RequestedArrays ArraysOf(const CreationRequest& request, SharedResource& resource);

}  // namespace gdal_zarr
