// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Reads the strings of a one-dimensional array. Throws zarr::Error.
std::vector<std::string> ReadTexts(const zarr::Array& array);

}  // namespace gdal_zarr
