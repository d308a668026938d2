// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/metadata/data_type.h"

namespace gdal_zarr {

/// Returns true for a unit such as "days since 2000-01-01".
bool IsTimeUnit(const std::string& unit);

/// How to convert times from one unit of CF to another.
struct TimeShift {
  std::string from;
  std::string to;
  std::string calendar;
  zarr::DataType type;               ///< Of the elements, which are in native byte order.
  std::vector<zarr::Bytes> missing;  ///< The elements that stand for missing times, and stay what they are.
};

/// Converts times in place. Throws zarr::Error(unsupported) for units that are not understood, and for values that the
/// other unit does not have exactly, or has where missing times are.
void ConvertTimes(const TimeShift& shift, zarr::MutableByteSpan elements);

}  // namespace gdal_zarr
