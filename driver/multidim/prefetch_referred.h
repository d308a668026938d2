// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "driver/dataset/shared_resource.h"

namespace gdal_zarr {

/// A dimension's name, and the group where the search for its coordinates starts.
struct DimensionReference {
  std::string group;
  std::string name;
};

/// In remote stores, requests everything at once that the georeferencing of an array is likely to need:
///
/// - the metadata of the arrays that its metadata names and of the groups above it,
/// - the first chunks of the coordinates along its last two dimensions, which are usually complete and small.
///
/// Arrays that are not in the array's group are then requested in all groups above it at once. `references` has one
/// element for each dimension.
void PrefetchReferred(SharedResource& resource, const zarr::Array& array,
                      std::span<const DimensionReference> references);

}  // namespace gdal_zarr
