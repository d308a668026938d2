// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Reads the colours of the values of an integer array from its attributes; the table is empty if they tell none:
///
/// - `COLOR_TABLE`: a list whose item i is the colour of the value i: [red, green, blue] or with an alpha, 0 to 255;
/// - `flag_colors`, beside CF's `flag_values`: one "#rrggbb" per value, as a list or separated by blanks.
///
/// Colours of another form, and colours of values outside 0 to 65535, are left out.
GDALColorTable ReadColorTable(const zarr::JsonNode& attributes);

}  // namespace gdal_zarr
