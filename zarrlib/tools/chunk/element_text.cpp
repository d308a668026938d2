// SPDX-License-Identifier: MIT
#include "zarrlib/tools/chunk/element_text.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "zarrlib/base/text.h"
#include "zarrlib/json/json_node.h"
#include "zarrlib/metadata/document_parts.h"

namespace zarr::tools {
namespace {

// --- numbers -----------------------------------------------------------------------------------------------------

template <typename Number>
std::string FormatNumber(const std::byte* element) {
  Number number;
  std::memcpy(&number, element, sizeof(number));
  char text[64];
  const auto end = std::to_chars(std::begin(text), std::end(text), number).ptr;
  return {text, end};
}

// --- dates -------------------------------------------------------------------------------------------------------

constexpr std::int64_t kMostYears = 1'000'000;  // before and after 1970
constexpr std::int64_t kSecondsOfDay = 86400;

std::pair<std::int64_t, std::int64_t> DivideWithRest(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = (a % b + b) % b;
  return {(a - rest) / b, rest};
}

/// Returns the date of a day counted from 1970-01-01. Years begin in March here, so that the leap day is the last day
/// of a year.
std::string FormatDate(std::int64_t day) {
  constexpr std::int64_t kDaysOfEra = 146097;  // 400 years
  const auto [era, day_of_era] = DivideWithRest(day + 719468, kDaysOfEra);
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / (kDaysOfEra - 1)) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const std::int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  const std::int64_t year = era * 400 + year_of_era + (month <= 2 ? 1 : 0);
  return FormatYear(year) + "-" + FormatDigits(month, 2) + "-" +
         FormatDigits(day_of_year - (153 * month_from_march + 2) / 5 + 1, 2);
}

struct TimeUnit {
  std::string_view name;
  std::int64_t seconds;     ///< Seconds per unit; 1 for shorter units.
  std::int64_t per_second;  ///< Units per second; 1 for longer units.
  std::size_t digits;       ///< Digits of the fraction of a second.
};

constexpr TimeUnit kTimeUnits[] = {{"W", 7 * kSecondsOfDay, 1, 0},
                                   {"D", kSecondsOfDay, 1, 0},
                                   {"h", 3600, 1, 0},
                                   {"m", 60, 1, 0},
                                   {"s", 1, 1, 0},
                                   {"ms", 1, 1000, 3},
                                   {"us", 1, 1'000'000, 6},
                                   {"ns", 1, 1'000'000'000, 9}};

std::string FormatMoment(std::int64_t seconds, std::int64_t fraction, const TimeUnit& unit) {
  const auto [day, second] = DivideWithRest(seconds, kSecondsOfDay);
  std::string text = FormatDate(day);
  if (unit.seconds >= kSecondsOfDay) return text;
  text += "T" + FormatDigits(second / 3600, 2) + ":" + FormatDigits(second / 60 % 60, 2);
  if (unit.seconds > 1) return text;
  text += ":" + FormatDigits(second % 60, 2);
  return unit.digits == 0 ? text : text + "." + FormatDigits(fraction, unit.digits);
}

/// Returns nullopt for a month out of range.
std::optional<std::string> FormatMonths(std::int64_t count, std::string_view unit) {
  const auto [years, month] = DivideWithRest(count, unit == "Y" ? 1 : 12);
  if (years > kMostYears || years < -kMostYears) return std::nullopt;
  return FormatYear(1970 + years) + (unit == "Y" ? "" : "-" + FormatDigits(month + 1, 2));
}

/// Returns nullopt for a time out of range, and for another unit.
std::optional<std::string> FormatTime(std::int64_t count, std::string_view unit) {
  constexpr std::int64_t kMostSeconds = kMostYears * 366 * kSecondsOfDay;
  const auto* const row = std::ranges::find(kTimeUnits, unit, &TimeUnit::name);
  if (row == std::end(kTimeUnits)) return std::nullopt;
  const auto [whole, fraction] = DivideWithRest(count, row->per_second);
  if (whole > kMostSeconds / row->seconds || whole < -kMostSeconds / row->seconds) return std::nullopt;
  return FormatMoment(whole * row->seconds, fraction, *row);
}

// --- text --------------------------------------------------------------------------------------------------------

/// Quotes like JSON, but keeps non-ASCII characters.
std::string Quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7f || c == '"' || c == '\\') {
      const std::string escaped = JsonNode::MakeString(std::string(1, c)).Dump();
      quoted += escaped.substr(1, escaped.size() - 2);
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace

ElementFormatter FindElementFormatter(const DataType& type) {
  using Kind = DataType::Kind;
  const auto choose = [&](ElementFormatter one, ElementFormatter two, ElementFormatter four, ElementFormatter eight) {
    return type.size == 1 ? one : type.size == 2 ? two : type.size == 4 ? four : eight;
  };
  if (type.optional_depth > 0) return nullptr;
  if (type.kind == Kind::kInt) {
    return choose(FormatNumber<std::int8_t>, FormatNumber<std::int16_t>, FormatNumber<std::int32_t>,
                  FormatNumber<std::int64_t>);
  }
  if (type.kind == Kind::kUint) {
    return choose(FormatNumber<std::uint8_t>, FormatNumber<std::uint16_t>, FormatNumber<std::uint32_t>,
                  FormatNumber<std::uint64_t>);
  }
  if (type.kind == Kind::kFloat) return choose(nullptr, nullptr, FormatNumber<float>, FormatNumber<double>);
  return nullptr;
}

std::string FormatElement(const DataType& type, Bytes bytes) {
  using Kind = DataType::Kind;
  if (type.kind == Kind::kDatetime64 && type.optional_depth == 0) {
    std::int64_t value = 0;
    std::memcpy(&value, bytes.data(), sizeof(value));
    return FormatDatetime(value, type.unit, type.unit_count);
  }
  const JsonNode value = MakeFillValueV3({std::move(bytes), true}, type);
  if (!value.IsString()) return value.Dump();
  switch (type.kind) {
    case Kind::kFloat:
    case Kind::kBfloat16:
    case Kind::kSmallFloat:
    case Kind::kTimedelta64:
      return value.AsString();
    case Kind::kString:
    case Kind::kFixedUtf32:
      return Quote(value.AsString());
    default:
      return value.Dump();
  }
}

std::string FormatDatetime(std::int64_t value, std::string_view unit, std::uint64_t unit_count) {
  if (value == std::numeric_limits<std::int64_t>::min()) return "NaT";
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  std::optional<std::string> text;
  if (unit_count > 0 && unit_count <= INT32_MAX) {
    const auto lot = static_cast<std::int64_t>(unit_count);
    const bool fits = value <= kMost / lot && value >= -kMost / lot;
    if (fits) text = unit == "Y" || unit == "M" ? FormatMonths(value * lot, unit) : FormatTime(value * lot, unit);
  }
  return text ? *std::move(text) : std::to_string(value);
}

}  // namespace zarr::tools
