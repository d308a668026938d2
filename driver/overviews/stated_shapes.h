// SPDX-License-Identifier: MIT
#pragma once

#include "driver/dataset/shared_resource.h"
#include "zarrlib/array/array.h"
#include "zarrlib/base/shape.h"

namespace gdal_zarr {

/// Call this after a resize. Updates GeoZarr's `spatial:shape` in the attributes of the array and of its group, and in
/// the entries that layouts have for them, where it has been the shape until now. Dimensions without names are not
/// those of a whole group. Warns, without an exception, of what is not updated, also of a `spatial:bbox`.
void UpdateStatedShapes(SharedResource& resource, const zarr::Array& before, const zarr::Shape& shape);

}  // namespace gdal_zarr
