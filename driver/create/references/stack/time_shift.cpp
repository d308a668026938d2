// SPDX-License-Identifier: MIT
#include "driver/create/references/stack/time_shift.h"

#include <cmath>
#include <cstdint>

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
void Convert(const Conversion& conversion, zarr::MutableByteSpan elements) {
  for (std::size_t i = 0; i + sizeof(T) <= elements.size(); i += sizeof(T)) {
    T value;
    std::memcpy(&value, elements.data() + i, sizeof(T));
    const auto before = static_cast<long double>(value);
    if (!std::isfinite(before)) continue;
    const auto after = static_cast<T>(conversion.Apply(before));
    if (!conversion.IsExact(before, static_cast<long double>(after))) {
      Refuse("times that the unit of the first file has exactly", std::to_string(value));
    }
    std::memcpy(elements.data() + i, &after, sizeof(T));
  }
}

}  // namespace

bool IsTimeUnit(const std::string& unit) {
  return unit.find(" since ") != std::string::npos;
}

void ConvertTimes(const std::string& from, const std::string& to, const std::string& calendar,
                  const zarr::DataType& type, zarr::MutableByteSpan elements) {
  const TimeUnit before = Parse(from, calendar);
  const TimeUnit after = Parse(to, calendar);
  const auto days = static_cast<long double>(before.origin.day - after.origin.day);
  const auto rest = static_cast<long double>(before.origin.nanoseconds - after.origin.nanoseconds);
  const Conversion conversion{before.nanoseconds, after.nanoseconds, days * static_cast<long double>(kDay) + rest};
  using Kind = zarr::DataType::Kind;
  if (type.kind == Kind::kFloat && type.size == 8) return Convert<double>(conversion, elements);
  if (type.kind == Kind::kFloat && type.size == 4) return Convert<float>(conversion, elements);
  if (type.kind == Kind::kInt && type.size == 8) return Convert<std::int64_t>(conversion, elements);
  if (type.kind == Kind::kInt && type.size == 4) return Convert<std::int32_t>(conversion, elements);
  if (type.kind == Kind::kInt && type.size == 2) return Convert<std::int16_t>(conversion, elements);
  Refuse("times of the type double, float or integer", type.name);
}

}  // namespace gdal_zarr
