// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/base/bytes.h"
#include "zarrlib/metadata/data_type.h"

namespace gdal_zarr {

/// Returns true for a unit such as "days since 2000-01-01".
bool IsTimeUnit(const std::string& unit);

/// Converts times in place from one unit of CF to another. `type` is that of the elements, which are in native byte
/// order. Throws zarr::Error(unsupported) for units that are not understood, and for values that the other unit does
/// not have exactly.
void ConvertTimes(const std::string& from, const std::string& to, const std::string& calendar,
                  const zarr::DataType& type, zarr::MutableByteSpan elements);

}  // namespace gdal_zarr
