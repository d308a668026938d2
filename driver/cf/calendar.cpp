#include "driver/cf/calendar.h"

namespace gdal_zarr {
namespace {

// The calendars of the real world number days as astronomers do (Julian day numbers), so that the mixed one can go from
// one to the other; those of models count from the first day of year 0.

constexpr std::int64_t kFirstGregorianDay = 2299161;  // 15 October 1582
constexpr std::int64_t kMarchOfYear0Julian = 1721118;
constexpr std::int64_t kMarchOfYear0Gregorian = 1721120;

std::int64_t FloorDivide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// Days before a month in a year that starts in March, which puts the leap day last.
std::int64_t DaysBeforeMonthFromMarch(std::int64_t month_from_march) {
  return (153 * month_from_march + 2) / 5;
}

std::int64_t DaysBeforeYear(std::int64_t year, bool gregorian) {
  const std::int64_t days = 365 * year + FloorDivide(year, 4);
  return gregorian ? days - FloorDivide(year, 100) + FloorDivide(year, 400) : days;
}

std::int64_t RealDayNumber(const Date& date, bool gregorian) {
  const bool before_march = date.month < 3;
  const std::int64_t year = before_march ? date.year - 1 : date.year;
  const std::int64_t month = before_march ? date.month + 9 : date.month - 3;
  return (gregorian ? kMarchOfYear0Gregorian : kMarchOfYear0Julian) + DaysBeforeYear(year, gregorian) +
         DaysBeforeMonthFromMarch(month) + date.day - 1;
}

Date RealDate(std::int64_t day_number, bool gregorian) {
  const std::int64_t days = day_number - (gregorian ? kMarchOfYear0Gregorian : kMarchOfYear0Julian);
  // Close to the year: it is this one or a neighbour.
  std::int64_t year = gregorian ? FloorDivide(days * 400, 146097) : FloorDivide(days * 4, 1461);
  while (DaysBeforeYear(year, gregorian) > days) --year;
  while (DaysBeforeYear(year + 1, gregorian) <= days) ++year;
  const std::int64_t day = days - DaysBeforeYear(year, gregorian);
  const std::int64_t month = (5 * day + 2) / 153;
  const bool next_year = month >= 10;
  return {next_year ? year + 1 : year, next_year ? month - 9 : month + 3, day - DaysBeforeMonthFromMarch(month) + 1};
}

/// All years are one of these: a year without, or with a leap day.
constexpr std::int64_t kModelYear = 2001;
constexpr std::int64_t kModelLeapYear = 2000;

std::int64_t DayOfYear(const Date& date, std::int64_t like_year) {
  return RealDayNumber({like_year, date.month, date.day}, true) - RealDayNumber({like_year, 1, 1}, true);
}

Date DateOfYear(std::int64_t year, std::int64_t day, std::int64_t like_year) {
  const Date date = RealDate(RealDayNumber({like_year, 1, 1}, true) + day, true);
  return {year, date.month, date.day};
}

std::int64_t Number(const Date& date, Calendar calendar) {
  switch (calendar) {
    case Calendar::kStandard: {
      const std::int64_t number = RealDayNumber(date, true);
      return number >= kFirstGregorianDay ? number : RealDayNumber(date, false);
    }
    case Calendar::kProlepticGregorian:
      return RealDayNumber(date, true);
    case Calendar::kJulian:
      return RealDayNumber(date, false);
    case Calendar::kNoLeap:
      return 365 * date.year + DayOfYear(date, kModelYear);
    case Calendar::kAllLeap:
      return 366 * date.year + DayOfYear(date, kModelLeapYear);
    case Calendar::k360Day:
      return 360 * date.year + 30 * (date.month - 1) + date.day - 1;
  }
  return 0;
}

}  // namespace

std::optional<std::int64_t> DayNumber(const Date& date, Calendar calendar) {
  if (date.month < 1 || date.month > 12 || date.day < 1 || date.day > 31) return std::nullopt;
  const std::int64_t number = Number(date, calendar);
  // A date that does not exist, such as 30 February, comes back as another.
  if (!(DateOf(number, calendar) == date)) return std::nullopt;
  return number;
}

Date DateOf(std::int64_t day_number, Calendar calendar) {
  switch (calendar) {
    case Calendar::kStandard:
      return RealDate(day_number, day_number >= kFirstGregorianDay);
    case Calendar::kProlepticGregorian:
      return RealDate(day_number, true);
    case Calendar::kJulian:
      return RealDate(day_number, false);
    case Calendar::kNoLeap: {
      const std::int64_t year = FloorDivide(day_number, 365);
      return DateOfYear(year, day_number - 365 * year, kModelYear);
    }
    case Calendar::kAllLeap: {
      const std::int64_t year = FloorDivide(day_number, 366);
      return DateOfYear(year, day_number - 366 * year, kModelLeapYear);
    }
    case Calendar::k360Day: {
      const std::int64_t year = FloorDivide(day_number, 360);
      const std::int64_t day = day_number - 360 * year;
      return {year, day / 30 + 1, day % 30 + 1};
    }
  }
  return {};
}

}  // namespace gdal_zarr
