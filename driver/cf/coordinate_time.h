// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driver/cf/cf_time.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

class EditableArray;

/// How a coordinate array's values represent times. A value type.
class CoordinateTime {
 public:
  /// Makes the interpretation of a datetime64 array, or of an array whose `units` and `calendar` follow CF. Returns
  /// nullopt for other arrays.
  static std::optional<CoordinateTime> Read(const GDALMDArray& coordinates);
  /// Formats a value in ISO 8601. `value` is decimal text as stored, so it may be packed (CF 1.11, section 8.1).
  /// Returns nullopt if the value is not a time, or is the array's nodata value.
  std::optional<std::string> FormatTime(const std::string& value) const;
  /// Converts a value, as stored, to a moment. Returns nullopt if the value is not a time, or is the nodata value.
  std::optional<Moment> FindMoment(std::int64_t value) const;
  std::optional<Moment> FindMoment(double value) const;
  /// Returns the calendar of these moments.
  Calendar calendar() const { return numpy_unit_.empty() ? unit_.calendar : Calendar::kProlepticGregorian; }

 private:
  std::optional<std::string> FormatAsCf(const std::string& value) const;

  std::string numpy_unit_;  // for datetime64, otherwise ""
  std::uint64_t numpy_count_ = 1;
  TimeUnit unit_;
  double scale_ = 1;
  double offset_ = 0;
  std::optional<double> missing_;
};

/// Returns the number, as stored, of coordinates that are missing. A fill value that no attribute confirms counts for
/// times, and in v2, where xarray uses it. It never counts if it is 0: many writers set it by default, and 0 is a valid
/// coordinate.
std::optional<double> FindMissingCoordinate(const GDALMDArray& coordinates, bool are_times);

/// Makes the attribute ISO8601 of a one-dimensional coordinate array: its values as times, read on demand. Returns null
/// if the array's values are not times, or if there are more than 65,536.
std::shared_ptr<GDALAttribute> MakeTimeAttribute(const std::shared_ptr<const GDALMDArray>& coordinates);

inline constexpr const char* kTimeAttribute = "ISO8601";

}  // namespace gdal_zarr
