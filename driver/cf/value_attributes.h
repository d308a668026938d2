// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The lowest and the highest value of an array, in stored units, from CF attributes: `actual_range`, which is given in
/// unpacked units; otherwise `valid_range`; otherwise `valid_min` and `valid_max`.
struct ValueRange {
  std::optional<double> minimum;
  std::optional<double> maximum;
};

/// Reads the range. `attributes` are those of the array, or at least all that this function reads. `scale` and `offset`
/// unpack the array's values. Invalid attributes are ignored.
ValueRange ReadValueRange(const zarr::Array& array, const zarr::JsonNode& attributes, double scale, double offset);

/// The attributes that define the names and colours of values.
inline constexpr std::array kFlagAttributes = {"flag_values", "flag_masks", "flag_meanings", "flag_colors"};

/// Reads the names of the values 0, 1 and so on from `flag_values` and `flag_meanings`; "" for values without a name.
/// The list is empty if there are none, or if a value is not an integer from 0 to 4095.
///
/// With only `flag_masks`, only single-bit masks define names. With different masks in addition to `flag_values`, a
/// value combines several fields, and there are no names.
CPLStringList ReadCategoryNames(const zarr::JsonNode& attributes);

/// Returns true if an attribute or metadata item has one of GDAL's names of statistics, such as STATISTICS_MINIMUM.
inline bool IsStatistic(std::string_view name) {
  return name.starts_with("STATISTICS_");
}

/// Formats a number, or text that is a number, as in GDAL's metadata; returns "" for other values.
std::string FormatStatistic(const zarr::JsonNode& node);
/// Makes a number from its text in GDAL's metadata if formatting it results in the same text; otherwise a string.
zarr::JsonNode MakeStatistic(const char* text);

/// Reads the statistics of an array's values from attributes with GDAL's names (STATISTICS_MINIMUM and so on), which
/// hold one value, or a list with one value per band. The list is empty if there are none.
CPLStringList ReadStatistics(const zarr::JsonNode& attributes, std::size_t band, std::size_t band_count);

}  // namespace gdal_zarr
