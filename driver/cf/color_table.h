#pragma once

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The colours of the values of an array of integers, without entries if its attributes tell none:
///
/// - `COLOR_TABLE`: a list whose item i is the colour of the value i, as [red, green, blue] or with an alpha, 0 to 255;
/// - beside CF's `flag_values`, `flag_colors`: one "#rrggbb" per value, in a list or with blanks between.
///
/// What is not of this form, or of a value that is not from 0 to 65535, is left out.
GDALColorTable ReadColorTable(const zarr::JsonNode& attributes);

}  // namespace gdal_zarr
