// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace gdal_zarr {

/// The calendars of CF 1.11, section 4.4.1.
enum class Calendar {
  kStandard,  ///< Julian up to 4 October 1582; the next day is 15 October in the Gregorian calendar.
  kProlepticGregorian,
  kJulian,
  kNoLeap,   ///< 365 days in every year.
  kAllLeap,  ///< 366 days in every year.
  k360Day,   ///< Twelve months of 30 days.
};

/// Parses CF's names, ignoring case: standard or gregorian (also ""), proleptic_gregorian, julian, noleap or 365_day,
/// all_leap or 366_day, 360_day. Returns nullopt for others.
std::optional<Calendar> ParseCalendar(std::string_view name);

/// A moment in a calendar: a day, numbered as in that calendar, and the time of that day.
struct Moment {
  std::int64_t day = 0;
  std::int64_t nanoseconds = 0;  ///< From 0 to less than a day.
  friend bool operator==(const Moment&, const Moment&) = default;
  friend bool operator<(const Moment& a, const Moment& b) {
    return std::tie(a.day, a.nanoseconds) < std::tie(b.day, b.nanoseconds);
  }
};

/// A CF time unit such as "days since 2000-01-01 12:00", from weeks down to nanoseconds. Years and months are not
/// supported, because their lengths vary. The origin takes a time zone after the date into account.
struct TimeUnit {
  Calendar calendar = Calendar::kStandard;
  Moment origin;
  std::int64_t nanoseconds = 1;  ///< The length of one unit.
};

/// Parses a CF time unit. Returns nullopt for other text, and for dates that the calendar does not have.
std::optional<TimeUnit> ParseTimeUnit(std::string_view text, Calendar calendar);

/// Parses a date of a calendar, with or without a time and a zone: "2000-01-31", "2000-01-31T12:00", "2000-01-31
/// 12:00:00.5+01:00". A date alone means midnight, and a time without a zone is UTC. Returns nullopt for other text,
/// and for dates that the calendar does not have.
std::optional<Moment> ParseTime(std::string_view text, Calendar calendar);

/// Formats a moment in ISO 8601. Returns nullopt for years beyond 999,999.
std::optional<std::string> FormatTime(const Moment& moment, Calendar calendar);

/// Converts a number of units: integers exactly, other numbers rounded to milliseconds. Returns nullopt for NaN, and
/// for moments that are out of range.
std::optional<Moment> ComputeCfTime(std::int64_t count, const TimeUnit& unit);
std::optional<Moment> ComputeCfTime(double count, const TimeUnit& unit);

/// Formats a number of units, given as decimal text, in ISO 8601: "2000-01-31T12:00:00Z". Integers are converted
/// exactly, other numbers rounded to milliseconds. Fractions of seconds have as many digits as needed. Returns nullopt
/// for NaN, and for years beyond 999,999.
std::optional<std::string> FormatCfTime(std::string_view number, const TimeUnit& unit);

/// Converts a value of NumPy's datetime64 to a moment of the proleptic Gregorian calendar. `unit` is Y, M, W, D, h, m,
/// s, ms, us, ns, ps, fs or as, and `value` counts multiples of `unit_count` units. Digits below nanoseconds are
/// truncated. Returns nullopt for NaT and for unknown units.
std::optional<Moment> ComputeDatetime64(std::int64_t value, std::string_view unit, std::uint64_t unit_count);

/// Formats a datetime64 value in ISO 8601; see ComputeDatetime64.
std::optional<std::string> FormatDatetime64(std::int64_t value, std::string_view unit, std::uint64_t unit_count);

}  // namespace gdal_zarr
