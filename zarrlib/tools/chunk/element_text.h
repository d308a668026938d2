// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "zarrlib/base/bytes.h"
#include "zarrlib/metadata/data_type.h"

namespace zarr::tools {

/// A function that formats an element.
using ElementFormatter = std::string (*)(const std::byte*);

/// Returns a function for the most common number types, which is fast and formats floats in the shortest form; null for
/// other types.
ElementFormatter FindElementFormatter(const DataType& type);

/// Formats an element like a v3 fill value, which is JSON; but NaN and dates without quotation marks, datetime64 dates
/// as in ISO 8601, and text in UTF-8.
std::string FormatElement(const DataType& type, Bytes bytes);

/// Formats a datetime64 value as in ISO 8601, with the precision of its unit: 2024, 2024-02, 2024-02-29,
/// 2024-02-29T06:00. Returns "NaT" for the lowest value, and the number for units finer than ns, and for times a
/// million years away.
std::string FormatDatetime(std::int64_t value, std::string_view unit, std::uint64_t unit_count);

}  // namespace zarr::tools
