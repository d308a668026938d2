// SPDX-License-Identifier: MIT
#include "driver/gdal/option_values.h"

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

bool IsEqualIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && EQUALN(a.data(), b.data(), a.size());
}

std::optional<bool> ParseBoolean(std::string_view value) {
  for (const std::string_view yes : {"YES", "TRUE", "ON", "1"}) {
    if (IsEqualIgnoringCase(value, yes)) return true;
  }
  for (const std::string_view no : {"NO", "FALSE", "OFF", "0"}) {
    if (IsEqualIgnoringCase(value, no)) return false;
  }
  return std::nullopt;
}

std::string EscapeXml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<')
      result += "&lt;";
    else if (c == '&')
      result += "&amp;";
    else if (c == '\'')
      result += "&apos;";
    else
      result += c;
  }
  return result;
}

}  // namespace gdal_zarr
