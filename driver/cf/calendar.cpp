// SPDX-License-Identifier: MIT
#include "driver/cf/calendar.h"

namespace gdal_zarr {
namespace {

// Real-world calendars use the day numbers of astronomers (Julian day numbers), so that the mixed calendar can switch
// from one to the other. Model calendars count from the first day of year 0.

constexpr std::int64_t kFirstGregorianDay = 2299161;  // 15 October 1582
constexpr std::int64_t kMarchOfYear0Julian = 1721118;
constexpr std::int64_t kMarchOfYear0Gregorian = 1721120;

/// Returns the number of days before a month, in a year that starts in March, so that the leap day comes last.
std::int64_t CountDaysBeforeMonthFromMarch(std::int64_t month_from_march) {
  return (153 * month_from_march + 2) / 5;
}

std::int64_t CountDaysBeforeYear(std::int64_t year, bool gregorian) {
  const std::int64_t days = 365 * year + DivideFloor(year, 4);
  return gregorian ? days - DivideFloor(year, 100) + DivideFloor(year, 400) : days;
}

std::int64_t ToRealDayNumber(const Date& date, bool gregorian) {
  const bool before_march = date.month < 3;
  const std::int64_t year = before_march ? date.year - 1 : date.year;
  const std::int64_t month = before_march ? date.month + 9 : date.month - 3;
  return (gregorian ? kMarchOfYear0Gregorian : kMarchOfYear0Julian) + CountDaysBeforeYear(year, gregorian) +
         CountDaysBeforeMonthFromMarch(month) + date.day - 1;
}

Date ToRealDate(std::int64_t day_number, bool gregorian) {
  const std::int64_t days = day_number - (gregorian ? kMarchOfYear0Gregorian : kMarchOfYear0Julian);
  // An estimate: the year, or an adjacent one.
  std::int64_t year = gregorian ? DivideFloor(days * 400, 146097) : DivideFloor(days * 4, 1461);
  while (CountDaysBeforeYear(year, gregorian) > days) --year;
  while (CountDaysBeforeYear(year + 1, gregorian) <= days) ++year;
  const std::int64_t day = days - CountDaysBeforeYear(year, gregorian);
  const std::int64_t month = (5 * day + 2) / 153;
  const bool next_year = month >= 10;
  return {next_year ? year + 1 : year, next_year ? month - 9 : month + 3,
          day - CountDaysBeforeMonthFromMarch(month) + 1};
}

/// In model calendars, all years have the months of one of these: without or with a leap day.
constexpr std::int64_t kModelYear = 2001;
constexpr std::int64_t kModelLeapYear = 2000;

std::int64_t CountDaysFromMarch(const Date& date, std::int64_t like_year) {
  return ToRealDayNumber({like_year, date.month, date.day}, true) - ToRealDayNumber({like_year, 1, 1}, true);
}

Date FindDateInYear(std::int64_t year, std::int64_t day, std::int64_t like_year) {
  const Date date = ToRealDate(ToRealDayNumber({like_year, 1, 1}, true) + day, true);
  return {year, date.month, date.day};
}

std::int64_t CountDays(const Date& date, Calendar calendar) {
  switch (calendar) {
    case Calendar::kStandard: {
      const std::int64_t number = ToRealDayNumber(date, true);
      return number >= kFirstGregorianDay ? number : ToRealDayNumber(date, false);
    }
    case Calendar::kProlepticGregorian:
      return ToRealDayNumber(date, true);
    case Calendar::kJulian:
      return ToRealDayNumber(date, false);
    case Calendar::kNoLeap:
      return 365 * date.year + CountDaysFromMarch(date, kModelYear);
    case Calendar::kAllLeap:
      return 366 * date.year + CountDaysFromMarch(date, kModelLeapYear);
    case Calendar::k360Day:
      return 360 * date.year + 30 * (date.month - 1) + date.day - 1;
  }
  return 0;
}

}  // namespace

std::int64_t DivideFloor(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

std::optional<std::int64_t> ToDayNumber(const Date& date, Calendar calendar) {
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > 31) return std::nullopt;
  const std::int64_t number = CountDays(date, calendar);
  // A date that does not exist, such as 30 February, is converted back to another date.
  if (!(ToDate(number, calendar) == date)) return std::nullopt;
  return number;
}

Date ToDate(std::int64_t day_number, Calendar calendar) {
  switch (calendar) {
    case Calendar::kStandard:
      return ToRealDate(day_number, day_number >= kFirstGregorianDay);
    case Calendar::kProlepticGregorian:
      return ToRealDate(day_number, true);
    case Calendar::kJulian:
      return ToRealDate(day_number, false);
    case Calendar::kNoLeap: {
      const std::int64_t year = DivideFloor(day_number, 365);
      return FindDateInYear(year, day_number - 365 * year, kModelYear);
    }
    case Calendar::kAllLeap: {
      const std::int64_t year = DivideFloor(day_number, 366);
      return FindDateInYear(year, day_number - 366 * year, kModelLeapYear);
    }
    case Calendar::k360Day: {
      const std::int64_t year = DivideFloor(day_number, 360);
      const std::int64_t day = day_number - 360 * year;
      return {year, day / 30 + 1, day % 30 + 1};
    }
  }
  return {};
}

}  // namespace gdal_zarr
