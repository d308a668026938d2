// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Makes a converter of strings for GDAL's buffers from one that converts stored strings: it writes null for those that
/// are not stored where the fill value is null, and for those that the data type `optional` says are missing. The array
/// must outlive it. Returns `stored` itself if no string can be missing.
std::unique_ptr<zarr::RowConverter> WithMissingStrings(std::unique_ptr<zarr::RowConverter> stored,
                                                       const zarr::Array& array);

}  // namespace gdal_zarr
