#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gdal_zarr {

/// The calendars of CF 1.11, section 4.4.1.
enum class Calendar {
  kStandard,  ///< Julian up to 4 October 1582, which 15 October follows in the Gregorian one.
  kProlepticGregorian,
  kJulian,
  kNoLeap,   ///< 365 days in every year.
  kAllLeap,  ///< 366.
  k360Day,   ///< Twelve months of 30.
};

/// By CF's names, in any case: standard or gregorian (also ""), proleptic_gregorian, julian, noleap or 365_day,
/// all_leap or 366_day, 360_day. Nothing for others.
std::optional<Calendar> ParseCalendar(std::string_view name);

/// A moment of a calendar: a day, counted from one that depends on the calendar, and what has passed of it.
struct Moment {
  std::int64_t day = 0;
  std::int64_t nanoseconds = 0;  ///< 0 to those of a day, exclusively.
};

/// A unit of CF: "days since 2000-01-01 12:00". Weeks to nanoseconds; years and months are not such units, since their
/// lengths differ. A time zone behind the date is taken into account.
struct TimeUnit {
  Calendar calendar = Calendar::kStandard;
  Moment origin;
  std::int64_t nanoseconds = 1;  ///< Of one unit.
};

/// Nothing for what is no such unit, and for dates that the calendar does not have.
std::optional<TimeUnit> ParseTimeUnit(std::string_view text, Calendar calendar);

/// A number of units, as decimal text, in ISO 8601: "2000-01-31T12:00:00Z". Integers are exact; others are rounded to
/// milliseconds. Fractions of seconds have as many digits as they need. Nothing for NaN, and beyond the year 999,999.
std::optional<std::string> TimeText(std::string_view number, const TimeUnit& unit);

/// The same for NumPy's datetime64 of a unit (Y, M, W, D, h, m, s, ms, us, ns, ps, fs, as), of which `value` counts
/// lots of `unit_count`. What is finer than nanoseconds is cut off. Nothing for NaT and for units that are not known.
std::optional<std::string> Datetime64Text(std::int64_t value, std::string_view unit, std::uint64_t unit_count);

}  // namespace gdal_zarr
