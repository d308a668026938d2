// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>

namespace gdal_zarr {

/// Returns the spellings of CF's unit for longitudes or latitudes (CF 1.11, sections 4.1 and 4.2): for the direction
/// "east", they are "degrees_east", "degree_E", "degreesE" and so on.
std::array<std::string, 6> ListDegreeUnits(const std::string& direction);

}  // namespace gdal_zarr
