// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The lowest and the highest value of an array, in stored units, from CF attributes: `actual_range`, which is given in
/// unpacked units, else `valid_range`, else `valid_min` and `valid_max`.
struct ValueRange {
  std::optional<double> minimum;
  std::optional<double> maximum;
};

/// `attributes` are those of the array, or all of them that this reads. `scale` and `offset` unpack the array's values.
/// Bad attributes are ignored.
ValueRange ReadValueRange(const zarr::Array& array, const zarr::JsonNode& attributes, double scale, double offset);

/// Reads the names of the values 0, 1 and so on from `flag_values` and `flag_meanings`; "" for values without a name.
/// Empty if there are none, or if a value is not an integer from 0 to 4095. With `flag_masks` alone, only masks of one
/// bit give names. With different masks beside `flag_values`, a value combines several fields, and there are no names.
CPLStringList ReadCategoryNames(const zarr::JsonNode& attributes);

/// Whether an attribute or metadata item has one of GDAL's names of statistics, such as STATISTICS_MINIMUM.
inline bool IsStatistic(std::string_view name) {
  return name.starts_with("STATISTICS_");
}

/// Returns a number, or text that is a number, as GDAL's metadata have it; "" for other values.
std::string FormatStatistic(const zarr::JsonNode& node);
/// Makes a number of its text in GDAL's metadata, if it has the same text again, else a string.
zarr::JsonNode MakeStatistic(const char* text);

/// Reads the statistics of an array's values from attributes with GDAL's names (STATISTICS_MINIMUM and so on), which
/// hold one value, or a list with one value per band. Empty if there are none.
CPLStringList ReadStatistics(const zarr::JsonNode& attributes, std::size_t band, std::size_t band_count);

}  // namespace gdal_zarr
