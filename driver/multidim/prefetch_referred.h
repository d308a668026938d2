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

/// Where each look into the store costs a request, asks at once for all that the place of an array is likely to take:
/// the metadata of the arrays that its own metadata name and of the groups above it, and the first chunks of the
/// coordinates along its last two dimensions, which most often are whole and small. What is not beside the array is
/// then looked for in all groups above it at once. `references` has one element for each dimension.
void PrefetchReferred(SharedResource& resource, const zarr::Array& array,
                      std::span<const DimensionReference> references);

}  // namespace gdal_zarr
