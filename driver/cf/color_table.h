// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// Reads the colours of an array's values from its attributes. The table is empty if there are none:
///
/// - `COLOR_TABLE`: a list whose item i is the colour of the value i: [red, green, blue] or with an alpha, 0 to 255;
/// - of integers, `flag_colors`, in addition to CF's `flag_values`: one "#rrggbb" per value, as a list or separated by
/// blanks.
///
/// Colours in other forms, and colours of values outside 0 to 65535, are skipped.
GDALColorTable ReadColorTable(const zarr::JsonNode& attributes, bool of_integers);

}  // namespace gdal_zarr
