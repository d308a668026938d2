// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "driver/dataset/shared_resource.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Warns of members of a level's entry in a layout that contradict the shape of its array: `spatial:shape`, and `scale`
/// and `translation` of `transform`. The array's shape takes precedence. A scale is correct if it matches any of
/// `sources`, the base and the other levels; it is not checked if there are none. A null entry is correct.
void WarnOfWrongEntry(SharedResource& resource, const zarr::JsonNode& entry, const zarr::Array& level,
                      const std::vector<std::shared_ptr<const zarr::Array>>& sources);

}  // namespace gdal_zarr
