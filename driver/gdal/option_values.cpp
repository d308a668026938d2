// SPDX-License-Identifier: MIT
#include "driver/gdal/option_values.h"

namespace gdal_zarr {

std::optional<bool> ParseBoolean(std::string_view value) {
  if (IsOneOfIgnoringCase(value, {"YES", "TRUE", "ON", "1"})) return true;
  if (IsOneOfIgnoringCase(value, {"NO", "FALSE", "OFF", "0"})) return false;
  return std::nullopt;
}

}  // namespace gdal_zarr
