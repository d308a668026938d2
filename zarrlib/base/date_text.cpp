// SPDX-License-Identifier: MIT
#include "zarrlib/base/date_text.h"

namespace zarr {

std::string FormatDigits(std::int64_t value, std::size_t width) {
  const std::string text = std::to_string(value);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

std::string FormatYear(std::int64_t year) {
  if (year < 0) return "-" + FormatDigits(-year, 4);
  return (year > 9999 ? "+" : "") + FormatDigits(year, 4);
}

}  // namespace zarr
