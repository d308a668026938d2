#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driver/cf/cf_time.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

class EditableArray;

/// What the values of a coordinate array mean as times. A value type.
class CoordinateTime {
 public:
  /// Of an array of datetime64, or one whose `units` and `calendar` are those of CF; nothing for others.
  static std::optional<CoordinateTime> Of(const GDALMDArray& coordinates);
  /// A value as it is stored, packed perhaps (CF 1.11, section 8.1), given as decimal text, in ISO 8601; nothing for
  /// one that is no time, or is the array's nodata value.
  std::optional<std::string> Text(const std::string& value) const;

 private:
  std::optional<std::string> CfText(const std::string& value) const;

  std::string numpy_unit_;  // of datetime64, else ""
  std::uint64_t numpy_count_ = 1;
  TimeUnit unit_;
  double scale_ = 1;
  double offset_ = 0;
  std::optional<double> missing_;
};

/// The attribute ISO8601 of a coordinate array of one dimension: its values as times, read when they are asked for.
/// Null for arrays that are no such coordinates.
std::shared_ptr<GDALAttribute> TimeAttribute(const std::shared_ptr<const GDALMDArray>& coordinates);

inline constexpr const char* kTimeAttribute = "ISO8601";

}  // namespace gdal_zarr
