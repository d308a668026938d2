// SPDX-License-Identifier: MIT
#pragma once

#include <map>
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
  /// The dimensions spread over the bands in the source of a copy; empty for one dimension, Band.
  std::vector<BandDimension> band_dimensions = {};
  PlaneNames plane_names = {};
  /// The name of an array that is added, if the options tell none; empty for that of the store.
  std::string default_name = {};
  /// The types of bands that are arrays, in a copy whose source has several; otherwise empty, and `type` is that of
  /// all.
  std::vector<GDALDataType> band_types = {};

  std::string array_name() const;
  /// Returns true if the bands get the dimensions that they have in the source of a copy.
  bool keeps_band_dimensions() const;
  /// Returns false in v1, which cannot name dimensions: they are always Band, Y, X.
  bool pixel_interleaved() const;
  /// Returns true if the array is the root of a new store, as in v1.
  bool is_root_array() const;
};

/// Throws zarr::Error if no store can contain the raster, or if options contradict each other.
void CheckRequest(const CreationRequest& request);

/// The arrays that a request creates: one, or one for each band with SINGLE_ARRAY=NO.
struct RequestedArrays {
  std::vector<std::string> paths;
  std::vector<zarr::ArrayMetadata> metadata;        ///< One for each path.
  std::vector<BandDimension> band_dimensions;       ///< The dimensions whose coordinates belong to the arrays.
  std::map<std::string, std::string> renamed = {};  ///< The new names of those that have another name in the source.
};

/// Prepares the arrays of a new store. Throws zarr::Error if they cannot be created; the store is not needed for that.
RequestedArrays MakeRequestedArrays(const CreationRequest& request);
/// Prepares the arrays to add to a store. Dimensions whose names clash with existing arrays get other names, and so
/// does an array whose name is not in the options.
RequestedArrays MakeRequestedArrays(const CreationRequest& request, SharedResource& resource);

/// Returns the path of the store to create or to add to. Throws zarr::Error(invalid_argument) if the name includes an
/// array, which options specify instead.
std::string FindStoreToWrite(const char* name, bool appends = false);

}  // namespace gdal_zarr
