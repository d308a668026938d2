// SPDX-License-Identifier: MIT
#include "driver/create/references/stack/time_shift.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "driver/cf/cf_time.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

constexpr std::int64_t kDay = 86'400'000'000'000;  // in nanoseconds

[[noreturn]] void Refuse(const std::string& expected, const std::string& got) {
  throw zarr::Error(zarr::ErrorKind::kUnsupported, zarr::FormatExpectedGot(expected, got));
}

TimeUnit Parse(const std::string& text, const std::string& calendar) {
  const auto known = ParseCalendar(calendar);
  const auto unit = known ? ParseTimeUnit(text, *known) : std::nullopt;
  if (!unit) Refuse("a time unit that can be converted, from weeks to nanoseconds", text);
  return *unit;
}

/// The times x * `factor` / `divisor` + `shift`, of which the results are exact or an error.
struct Conversion {
  std::int64_t factor;
  std::int64_t divisor;
  long double shift;  // in nanoseconds

  long double Apply(long double value) const {
    return (value * static_cast<long double>(factor) + shift) / static_cast<long double>(divisor);
  }
  bool IsExact(long double value, long double result) const {
    return result * static_cast<long double>(divisor) - shift == value * static_cast<long double>(factor);
  }
};

template <typename T>
void Convert(const Conversion& conversion, const std::vector<zarr::Bytes>& missing, zarr::MutableByteSpan elements) {
  const auto is_missing = [&](zarr::ByteSpan element) {
    return std::ranges::any_of(missing, [&](const auto& other) { return std::ranges::equal(other, element); });
  };
  for (std::size_t i = 0; i + sizeof(T) <= elements.size(); i += sizeof(T)) {
    const zarr::MutableByteSpan element = elements.subspan(i, sizeof(T));
    T value;
    std::memcpy(&value, element.data(), sizeof(T));
    const auto before = static_cast<long double>(value);
    if (!std::isfinite(before) || is_missing(element)) continue;
    const auto after = static_cast<T>(conversion.Apply(before));
    std::memcpy(element.data(), &after, sizeof(T));
    if (!conversion.IsExact(before, static_cast<long double>(after))) {
      Refuse("times that the unit of the first file has exactly", std::to_string(value));
    }
    if (is_missing(element)) {
      Refuse("times that are not missing in the unit of the first file", std::to_string(value));
    }
  }
}

}  // namespace

bool IsTimeUnit(const std::string& unit) {
  return unit.find(" since ") != std::string::npos;
}

void ConvertTimes(const TimeShift& shift, zarr::MutableByteSpan elements) {
  const TimeUnit before = Parse(shift.from, shift.calendar);
  const TimeUnit after = Parse(shift.to, shift.calendar);
  const auto days = static_cast<long double>(before.origin.day - after.origin.day);
  const auto rest = static_cast<long double>(before.origin.nanoseconds - after.origin.nanoseconds);
  const Conversion conversion{before.nanoseconds, after.nanoseconds, days * static_cast<long double>(kDay) + rest};
  using Kind = zarr::DataType::Kind;
  const zarr::DataType& type = shift.type;
  if (type.kind == Kind::kFloat && type.size == 8) return Convert<double>(conversion, shift.missing, elements);
  if (type.kind == Kind::kFloat && type.size == 4) return Convert<float>(conversion, shift.missing, elements);
  if (type.kind == Kind::kInt && type.size == 8) return Convert<std::int64_t>(conversion, shift.missing, elements);
  if (type.kind == Kind::kInt && type.size == 4) return Convert<std::int32_t>(conversion, shift.missing, elements);
  if (type.kind == Kind::kInt && type.size == 2) return Convert<std::int16_t>(conversion, shift.missing, elements);
  Refuse("times of the type double, float or integer", type.name);
}

}  // namespace gdal_zarr
