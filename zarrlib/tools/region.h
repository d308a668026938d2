// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "zarrlib/array/array.h"
#include "zarrlib/base/shape.h"

namespace zarr::tools {

/// Parses a region of an array, such as "0:256,:,-10:". Each axis has a first index and an end index (exclusive); if
/// omitted, the region starts at the start of the axis, and ends at its end. Negative numbers count from the end.
/// Without a string the region is the whole array. Throws UsageError for a region outside the array.
Box ParseRegion(const std::optional<std::string>& text, const Array& array);

/// Parses a window of an array's last two axes, such as "512,0,256,256": the first column, the first row, the number of
/// columns and of rows. Along other axes, the region is the first index. Throws UsageError for a window outside the
/// array.
Box ParseWindow(const std::string& text, const Array& array);

}  // namespace zarr::tools
