// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>

#include "driver/types/type_map.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// Saves a nodata value, an element in GDAL's form (null removes it), in the metadata of an array, and returns the new
/// array. The value becomes the fill value; in v3 also the CF attribute `_FillValue`, like in xarray.
///
/// Missing chunks have the old fill value. Unless the array `has_no_values`, they are written first, so that no element
/// changes, with a warning if they are many. A sharded array with missing inner chunks or with many shards, and one of
/// v3 with many missing chunks, keeps its fill value, and only gets the attribute. Complex arrays of v3 get
/// `missing_value`. Throws zarr::Error(invalid_argument) for a number that the array would clamp, and
/// Error(unsupported) for a sharded array whose fill value would remain the nodata value.
std::shared_ptr<const zarr::Array> SaveNodata(zarr::EditableHierarchy& hierarchy,
                                              const std::shared_ptr<const zarr::Array>& array, const ElementForm& form,
                                              const std::byte* value, bool has_no_values);

/// Returns true if any chunk of an array is stored.
bool HasStoredChunks(const zarr::Array& array);

/// Returns true if two numbers are the same nodata value. NaN equals NaN here.
bool IsSameNodata(double a, double b);

}  // namespace gdal_zarr
