#pragma once

#include <cstddef>
#include <optional>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"
#include "zarrlib/json/json_node.h"

namespace gdal_zarr {

/// The lowest and the highest value of an array as CF attributes tell them, in stored units: `actual_range`, which is
/// in those of the unpacked values, else `valid_range`, else `valid_min` and `valid_max`.
struct ValueRange {
  std::optional<double> minimum;
  std::optional<double> maximum;
};

/// `scale` and `offset` turn the array's values into unpacked ones. What is wrong in the attributes is left out.
ValueRange ReadValueRange(const zarr::Array& array, double scale, double offset);

/// The names of the values 0, 1 and so on, from `flag_values` and `flag_meanings`; "" for values without a name. Empty
/// if there are none, or if a value is not an integer from 0 to 4095. With `flag_masks` alone, a value that is one bit
/// has the name of this bit, and masks of more bits give no names; with masks that differ beside `flag_values`, a value
/// is made of several fields, and has no name either.
CPLStringList ReadCategoryNames(const zarr::JsonNode& attributes);

/// The statistics of an array's values, under the names that GDAL gives them (STATISTICS_MINIMUM and so on), as
/// attributes of these names tell them: one value, or a list with one per band. Empty where there are none.
CPLStringList ReadStatistics(const zarr::JsonNode& attributes, std::size_t band, std::size_t band_count);

}  // namespace gdal_zarr
