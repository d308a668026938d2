// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "driver/cf/cf_time.h"

namespace gdal_zarr {

/// A date. Years are astronomical: year 0 precedes year 1.
struct Date {
  std::int64_t year = 0;
  std::int64_t month = 1;
  std::int64_t day = 1;
  friend bool operator==(const Date&, const Date&) = default;
};

/// Divides by a positive number, and rounds towards minus infinity.
std::int64_t DivideFloor(std::int64_t a, std::int64_t b);

/// These convert between dates and consecutive day numbers of a calendar. Years must be within 10 million of 0.
/// ToDayNumber returns nullopt for a date that the calendar does not have.
std::optional<std::int64_t> ToDayNumber(const Date& date, Calendar calendar);
Date ToDate(std::int64_t day_number, Calendar calendar);

}  // namespace gdal_zarr
