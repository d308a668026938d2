// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Returns true if two arrays of coordinates, of the same length, have the same values, unpacked, the same missing
/// ones, and the same attributes, apart from those that say how values are stored, that name other arrays, or that
/// follow from the units. Without `compare_all`, only attributes that change the meaning of values are compared:
/// `units` and `calendar`. Throws zarr::Error.
bool SayTheSame(const zarr::Array& a, const zarr::Array& b, bool compare_all);

/// Returns true for attributes of coordinates that a copy does not have: those that name arrays next to them, and those
/// that programs keep for themselves.
bool IsLeftToSource(std::string_view attribute);

}  // namespace gdal_zarr
