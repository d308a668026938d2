// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Makes a converter of strings for GDAL's buffers from one that converts stored strings. It writes null for strings
/// that are not stored if the fill value is null, and for strings that the data type `optional` marks as missing or
/// that are stored as null. The array must outlive it. Returns `stored` itself if no string can be missing.
std::unique_ptr<zarr::RowConverter> WithMissingStrings(std::unique_ptr<zarr::RowConverter> stored,
                                                       const zarr::Array& array);

}  // namespace gdal_zarr
