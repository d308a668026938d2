// SPDX-License-Identifier: MIT
#include "driver/cf/degree_units.h"

namespace gdal_zarr {

std::array<std::string, 6> ListDegreeUnits(const std::string& direction) {
  const std::string letter(1, static_cast<char>(direction[0] - 'a' + 'A'));
  return {"degrees_" + direction, "degree_" + direction, "degree_" + letter,
          "degrees_" + letter,    "degree" + letter,     "degrees" + letter};
}

}  // namespace gdal_zarr
