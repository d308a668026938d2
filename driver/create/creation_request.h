// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "driver/create/band_dimensions.h"
#include "driver/create/plane_names.h"
#include "driver/gdal/gdal_compat.h"
#include "driver/new_array/creation_options.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

class SharedResource;

/// The arguments of GDALDriver::Create. A value type.
struct CreationRequest {
  std::string store;
  int width = 0;
  int height = 0;
  int bands = 0;
  GDALDataType type = GDT_Unknown;
  CreationOptions options;
  /// The dimensions that the bands count in the source of a copy; empty for one dimension, Band.
  std::vector<BandDimension> band_dimensions = {};
  PlaneNames plane_names = {};

  std::string array_name() const;
  /// False in v1, which cannot name dimensions: they are always Band, Y, X.
  bool pixel_interleaved() const;
  /// Whether the array is the root of a new store, as in v1.
  bool is_root_array() const;
};

/// Throws zarr::Error if no store can hold the raster, or if options contradict each other.
void CheckRequest(const CreationRequest& request);

/// The arrays that a request makes: one, or equal ones for each band with SINGLE_ARRAY=NO.
struct RequestedArrays {
  std::vector<std::string> paths;
  zarr::ArrayMetadata metadata;
  std::vector<BandDimension> band_dimensions;  ///< Those whose coordinates belong to the arrays.
};

/// Makes the arrays of a new store. Throws zarr::Error if they cannot be made; no store is needed to find that out.
RequestedArrays MakeRequestedArrays(const CreationRequest& request);
/// Makes the arrays to add to a store. Dimensions get other names where those of existing arrays do not fit.
RequestedArrays MakeRequestedArrays(const CreationRequest& request, SharedResource& resource);

/// Parses the name of the store to create or to add to. Throws zarr::Error(invalid_argument) if the name is that of an
/// array: options do that.
std::string FindStoreToWrite(const char* name);

}  // namespace gdal_zarr
