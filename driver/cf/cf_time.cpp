// SPDX-License-Identifier: MIT
#include "driver/cf/cf_time.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "driver/cf/calendar.h"
#include "driver/gdal/text.h"
#include "zarrlib/base/text.h"

namespace gdal_zarr {
namespace {

constexpr std::int64_t kNanosecond = 1;
constexpr std::int64_t kMillisecond = 1'000'000;
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kMostDays = 366LL * 1'000'000;  // before or after the origin

std::pair<std::int64_t, std::int64_t> DivideWithRest(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = a % b;
  return {DivideFloor(a, b), rest < 0 ? rest + b : rest};  // the quotient times b may be below the smallest integer
}

/// Returns nullopt if the result is out of range.
std::optional<Moment> Add(const Moment& moment, std::int64_t days, std::int64_t nanoseconds_of_day) {
  if (days > kMostDays || days < -kMostDays) return std::nullopt;
  Moment sum{moment.day + days, moment.nanoseconds + nanoseconds_of_day};
  if (sum.nanoseconds >= kDay) {
    sum.nanoseconds -= kDay;
    ++sum.day;
  }
  return sum;
}

// --- text -------------------------------------------------------------------------------------------------------

using zarr::FormatDigits;
using zarr::FormatYear;

std::string FormatFraction(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return "";
  std::string text = FormatDigits(nanoseconds, 9);
  text.erase(text.find_last_not_of('0') + 1);
  return "." + text;
}

std::optional<std::string> ToText(const std::optional<Moment>& moment, Calendar calendar) {
  if (!moment) return std::nullopt;
  const Date date = ToDate(moment->day, calendar);
  if (date.year > 999'999 || date.year < -999'999) return std::nullopt;
  const std::int64_t rest = moment->nanoseconds;
  return FormatYear(date.year) + "-" + FormatDigits(date.month, 2) + "-" + FormatDigits(date.day, 2) + "T" +
         FormatDigits(rest / kHour, 2) + ":" + FormatDigits(rest / kMinute % 60, 2) + ":" +
         FormatDigits(rest / kSecond % 60, 2) + FormatFraction(rest % kSecond) + "Z";
}

// --- parsing ----------------------------------------------------------------------------------------------------

/// Consumes tokens from the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool IsAtEnd() const { return rest_.empty(); }
  void SkipSpaces() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  bool Take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// Consumes the text up to the next space.
  std::string_view TakeWord() {
    SkipSpaces();
    const std::string_view word = rest_.substr(0, rest_.find(' '));
    rest_.remove_prefix(word.size());
    return word;
  }
  /// Consumes up to `longest` digits.
  std::optional<std::int64_t> TakeDigits(std::size_t longest = 6) {
    std::int64_t value = 0;
    std::size_t count = 0;
    while (count < rest_.size() && count < longest && rest_[count] >= '0' && rest_[count] <= '9') {
      value = value * 10 + (rest_[count++] - '0');
    }
    rest_.remove_prefix(count);
    return count > 0 ? std::optional(value) : std::nullopt;
  }
  /// Consumes the digits after a decimal point, and returns nanoseconds; further digits are dropped.
  std::int64_t TakeFraction() {
    std::int64_t value = 0;
    std::int64_t weight = kSecond / 10;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      value += weight * (rest_.front() - '0');
      weight /= 10;
      rest_.remove_prefix(1);
    }
    return value;
  }

 private:
  std::string_view rest_;
};

std::optional<std::int64_t> TakeDay(Scanner* text, Calendar calendar) {
  const bool before_zero = text->Take('-');
  if (!before_zero) text->Take('+');
  const auto year = text->TakeDigits();
  if (!year || !text->Take('-')) return std::nullopt;
  const auto month = text->TakeDigits(2);
  if (!month || !text->Take('-')) return std::nullopt;
  const auto day = text->TakeDigits(2);
  if (!day) return std::nullopt;
  return ToDayNumber({before_zero ? -*year : *year, *month, *day}, calendar);
}

/// Consumes "hh", "hh:mm", "hh:mm:ss" or "hh:mm:ss.fff". The result is in nanoseconds.
std::optional<std::int64_t> TakeTimeOfDay(Scanner* text) {
  const auto hours = text->TakeDigits(2);
  if (!hours || *hours > 23) return std::nullopt;
  std::int64_t result = *hours * kHour;
  if (!text->Take(':')) return result;
  const auto minutes = text->TakeDigits(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  result += *minutes * kMinute;
  if (!text->Take(':')) return result;
  const auto seconds = text->TakeDigits(2);
  if (!seconds || *seconds > 59) return std::nullopt;
  result += *seconds * kSecond;
  return result + (text->Take('.') ? text->TakeFraction() : 0);
}

/// Consumes "Z", "UTC", "GMT", or an offset such as "+6", "-03:30", "+0530"; UTC if there is none. The result is in
/// nanoseconds.
std::optional<std::int64_t> TakeZone(Scanner* text) {
  text->SkipSpaces();
  const bool west = text->Take('-');
  if (!west && !text->Take('+')) {
    const std::string_view word = text->TakeWord();
    return IsOneOfIgnoringCase(word, {"", "Z", "UTC", "GMT"}) ? std::optional<std::int64_t>(0) : std::nullopt;
  }
  const auto hours = text->TakeDigits(2);
  text->Take(':');
  const std::int64_t minutes = text->TakeDigits(2).value_or(0);
  if (!hours || *hours > 23 || minutes > 59) return std::nullopt;
  const std::int64_t offset = *hours * kHour + minutes * kMinute;
  return west ? -offset : offset;
}

std::optional<Moment> ParseMoment(Scanner text, Calendar calendar) {
  text.SkipSpaces();
  const auto day = TakeDay(&text, calendar);
  if (!day) return std::nullopt;
  std::int64_t nanoseconds = 0;
  const bool has_time = text.Take('T') || text.Take('t') || text.Take(' ');
  text.SkipSpaces();
  if (has_time && !text.IsAtEnd()) {
    const Scanner before_time = text;
    const auto time = TakeTimeOfDay(&text);
    // A zone may directly follow the date: "2000-01-01 UTC".
    if (!time) text = before_time;
    nanoseconds = time.value_or(0);
  }
  const auto zone = TakeZone(&text);
  text.SkipSpaces();
  if (!zone || !text.IsAtEnd()) return std::nullopt;
  const auto [days, rest] = DivideWithRest(nanoseconds - *zone, kDay);
  return Moment{*day + days, rest};
}

struct UnitName {
  std::string_view name;
  std::int64_t nanoseconds;
};

/// The names defined by UDUNITS.
constexpr UnitName kUnits[] = {
    {"week", 7 * kDay},
    {"day", kDay},
    {"d", kDay},
    {"hour", kHour},
    {"hr", kHour},
    {"hrs", kHour},
    {"h", kHour},
    {"minute", kMinute},
    {"min", kMinute},
    {"second", kSecond},
    {"sec", kSecond},
    {"s", kSecond},
    {"millisecond", kMillisecond},
    {"msec", kMillisecond},
    {"ms", kMillisecond},
    {"microsecond", 1000 * kNanosecond},
    {"us", 1000 * kNanosecond},
    {"nanosecond", kNanosecond},
    {"ns", kNanosecond},
};

std::optional<std::int64_t> GetUnitLength(std::string_view word) {
  for (const UnitName& unit : kUnits) {
    if (IsEqualIgnoringCase(word, unit.name)) return unit.nanoseconds;
    const bool has_plural = unit.name.size() > 2;
    if (has_plural && IsEqualIgnoringCase(word, std::string(unit.name) + "s")) return unit.nanoseconds;
  }
  return std::nullopt;
}

/// Adds a whole number of units, exactly.
std::optional<Moment> AddUnits(const Moment& origin, std::int64_t count, std::int64_t unit) {
  if (unit >= kDay) {
    const std::int64_t days = unit / kDay;
    if (count > kMostDays || count < -kMostDays) return std::nullopt;
    return Add(origin, count * days, 0);
  }
  const auto [days, rest] = DivideWithRest(count, kDay / unit);
  return Add(origin, days, rest * unit);
}

std::optional<Moment> AddFraction(const Moment& origin, double count, std::int64_t unit) {
  const double in_days = count * (static_cast<double>(unit) / static_cast<double>(kDay));
  if (!(std::fabs(in_days) < static_cast<double>(kMostDays))) return std::nullopt;
  const double days = std::floor(in_days);
  // A large number of days leaves few digits for the fraction of a day, so that fraction is rounded.
  const double milliseconds =
      std::round((in_days - days) * static_cast<double>(kDay) / static_cast<double>(kMillisecond));
  const auto [more, rest] = DivideWithRest(static_cast<std::int64_t>(milliseconds) * kMillisecond, kDay);
  return Add(origin, static_cast<std::int64_t>(days) + more, rest);
}

}  // namespace

std::optional<Calendar> ParseCalendar(std::string_view name) {
  struct Row {
    std::string_view name;
    Calendar calendar;
  };
  constexpr Row kNames[] = {
      {"", Calendar::kStandard},          {"standard", Calendar::kStandard},
      {"gregorian", Calendar::kStandard}, {"proleptic_gregorian", Calendar::kProlepticGregorian},
      {"julian", Calendar::kJulian},      {"noleap", Calendar::kNoLeap},
      {"365_day", Calendar::kNoLeap},     {"all_leap", Calendar::kAllLeap},
      {"366_day", Calendar::kAllLeap},    {"360_day", Calendar::k360Day},
  };
  for (const Row& row : kNames) {
    if (IsEqualIgnoringCase(name, row.name)) return row.calendar;
  }
  return std::nullopt;
}

std::optional<TimeUnit> ParseTimeUnit(std::string_view text, Calendar calendar) {
  Scanner scanner(text);
  const auto length = GetUnitLength(scanner.TakeWord());
  if (!length || !IsEqualIgnoringCase(scanner.TakeWord(), "since")) return std::nullopt;
  const auto origin = ParseMoment(scanner, calendar);
  if (!origin) return std::nullopt;
  return TimeUnit{calendar, *origin, *length};
}

std::optional<Moment> ParseTime(std::string_view text, Calendar calendar) {
  return ParseMoment(Scanner(text), calendar);
}

std::optional<std::string> FormatTime(const Moment& moment, Calendar calendar) {
  return ToText(moment, calendar);
}

std::optional<Moment> ComputeCfTime(std::int64_t count, const TimeUnit& unit) {
  return AddUnits(unit.origin, count, unit.nanoseconds);
}

std::optional<Moment> ComputeCfTime(double count, const TimeUnit& unit) {
  return AddFraction(unit.origin, count, unit.nanoseconds);
}

std::optional<std::string> FormatCfTime(std::string_view number, const TimeUnit& unit) {
  if (const auto whole = zarr::ParseNumber<std::int64_t>(number)) {
    return ToText(ComputeCfTime(*whole, unit), unit.calendar);
  }
  const auto value = zarr::ParseNumber<double>(number);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return ToText(ComputeCfTime(*value, unit), unit.calendar);
}

std::optional<std::string> FormatDatetime64(std::int64_t value, std::string_view unit, std::uint64_t unit_count) {
  return ToText(ComputeDatetime64(value, unit, unit_count), Calendar::kProlepticGregorian);
}

std::optional<Moment> ComputeDatetime64(std::int64_t value, std::string_view unit, std::uint64_t unit_count) {
  constexpr Calendar kCalendar = Calendar::kProlepticGregorian;
  if (value == std::numeric_limits<std::int64_t>::min() || unit_count == 0 || unit_count > INT32_MAX) {
    return std::nullopt;
  }
  const auto lot = static_cast<std::int64_t>(unit_count);
  if (value > INT64_MAX / lot || value < INT64_MIN / lot) return std::nullopt;
  value *= lot;
  const std::int64_t epoch = *ToDayNumber({1970, 1, 1}, kCalendar);
  if (unit == "Y" || unit == "M") {
    const auto [years, months] = unit == "Y" ? std::pair{value, std::int64_t{0}} : DivideWithRest(value, 12);
    if (years > 999'999 || years < -999'999) return std::nullopt;
    return Moment{*ToDayNumber({1970 + years, months + 1, 1}, kCalendar), 0};
  }
  struct Row {
    std::string_view name;
    std::int64_t nanoseconds;
    std::int64_t per_nanosecond;
  };
  constexpr Row kRows[] = {
      {"W", 7 * kDay, 1}, {"D", kDay, 1},          {"h", kHour, 1},          {"m", kMinute, 1},
      {"s", kSecond, 1},  {"ms", kMillisecond, 1}, {"us", 1000, 1},          {"ns", 1, 1},
      {"ps", 1, 1000},    {"fs", 1, 1000'000},     {"as", 1, 1'000'000'000},
  };
  for (const Row& row : kRows) {
    if (unit != row.name) continue;
    const std::int64_t count = DivideFloor(value, row.per_nanosecond);
    return AddUnits({epoch, 0}, count, row.nanoseconds);
  }
  return std::nullopt;
}

}  // namespace gdal_zarr
