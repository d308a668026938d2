#pragma once

#include <cstdint>
#include <optional>

#include "driver/cf/cf_time.h"

namespace gdal_zarr {

/// Years are astronomical: 0 is the one before 1.
struct Date {
  std::int64_t year = 0;
  std::int64_t month = 1;
  std::int64_t day = 1;
  friend bool operator==(const Date&, const Date&) = default;
};

/// The days of a calendar, numbered without a gap. Nothing for a date that the calendar does not have. Years are to be
/// within 10 million of 0.
std::optional<std::int64_t> DayNumber(const Date& date, Calendar calendar);
Date DateOf(std::int64_t day_number, Calendar calendar);

}  // namespace gdal_zarr
