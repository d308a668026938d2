// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

/// Parts of dates and times as ISO 8601 writes them.
namespace zarr {

/// Formats a number that is not negative, with zeros before it to be `width` characters long.
std::string FormatDigits(std::int64_t value, std::size_t width);

/// Formats a year: "2024", "0033", and with a sign "-0044" and "+12024".
std::string FormatYear(std::int64_t year);

}  // namespace zarr
