// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/iso_time.h"

#include <chrono>

#include "zarrlib/base/text.h"

namespace zarr {
namespace {

/// Consumes a number of a fixed count of digits.
bool TakeDigits(std::string_view* text, std::size_t count, int* value) {
  const std::string_view digits = text->substr(0, count);
  if (digits.size() < count || digits.find_first_not_of("0123456789") != digits.npos) return false;
  *value = ParseNumber<int>(digits).value_or(0);
  text->remove_prefix(count);
  return true;
}

bool Take(std::string_view* text, char c) {
  if (!text->starts_with(c)) return false;
  text->remove_prefix(1);
  return true;
}

using Micros = std::chrono::microseconds;

/// Consumes "T12:00:00.5", of which seconds and their fraction may be missing.
bool TakeTimeOfDay(std::string_view* text, Micros* time) {
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (!Take(text, 'T') && !Take(text, ' ')) return false;
  if (!TakeDigits(text, 2, &hour) || !Take(text, ':') || !TakeDigits(text, 2, &minute)) return false;
  if (Take(text, ':') && !TakeDigits(text, 2, &second)) return false;
  if (hour > 24 || minute > 59 || second > 60) return false;
  *time = std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
  if (!Take(text, '.')) return true;
  int digit = 0;
  for (Micros unit(100'000); TakeDigits(text, 1, &digit); unit /= 10) *time += digit * unit;
  return true;
}

/// Consumes "Z" or an offset such as "+02:00" or "+02".
bool TakeOffset(std::string_view* text, Micros* offset) {
  if (text->empty() || Take(text, 'Z')) return true;
  const bool is_west = text->starts_with('-');
  int hour = 0;
  int minute = 0;
  if ((!Take(text, '-') && !Take(text, '+')) || !TakeDigits(text, 2, &hour)) return false;
  Take(text, ':');
  if (!text->empty() && !TakeDigits(text, 2, &minute)) return false;
  *offset = (std::chrono::hours(hour) + std::chrono::minutes(minute)) * (is_west ? -1 : 1);
  return true;
}

}  // namespace

std::optional<std::int64_t> ParseIsoTime(std::string_view text) {
  int year = 0;
  int month = 0;
  int day = 0;
  if (!TakeDigits(&text, 4, &year) || !Take(&text, '-') || !TakeDigits(&text, 2, &month) || !Take(&text, '-') ||
      !TakeDigits(&text, 2, &day)) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  Micros time{};
  Micros offset{};
  if (!date.ok() || (!text.empty() && (!TakeTimeOfDay(&text, &time) || !TakeOffset(&text, &offset)))) {
    return std::nullopt;
  }
  if (!text.empty()) return std::nullopt;
  const Micros since = std::chrono::sys_days(date).time_since_epoch() + time - offset;
  return since.count();
}

std::string FormatIsoTime(std::uint64_t time) {
  namespace chrono = std::chrono;
  const chrono::sys_seconds since{chrono::seconds(static_cast<std::int64_t>(time / 1'000'000))};
  const auto day = chrono::floor<chrono::days>(since);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss clock(since - day);
  const auto two = [](auto value) { return FormatDigits(static_cast<std::int64_t>(value), 2); };
  return FormatYear(int{date.year()}) + "-" + two(unsigned{date.month()}) + "-" + two(unsigned{date.day()}) + "T" +
         two(clock.hours().count()) + ":" + two(clock.minutes().count()) + ":" + two(clock.seconds().count()) + "Z";
}

}  // namespace zarr
