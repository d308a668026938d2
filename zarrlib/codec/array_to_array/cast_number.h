// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "zarrlib/codec/array_to_array/numeric_elements.h"

/// Casts of numbers by value, as `cast_value` of zarr-extensions defines them.
namespace zarr {

enum class Rounding { kNearestEven, kTowardsZero, kTowardsPositive, kTowardsNegative, kNearestAway };
enum class OutOfRange { kError, kClamp, kWrap };

struct CastRules {
  Rounding rounding = Rounding::kNearestEven;
  OutOfRange out_of_range = OutOfRange::kError;
};

/// A binary float type: its precision in bits, the exponent of its smallest positive value, and its largest value.
template <typename T>
struct FloatFormat {
  static constexpr int kDigits = std::numeric_limits<T>::digits;
  static constexpr int kLowestExponent = std::numeric_limits<T>::min_exponent - kDigits;
  static constexpr double kMax = std::numeric_limits<T>::max();
};
template <>
struct FloatFormat<Half> {
  static constexpr int kDigits = 11;
  static constexpr int kLowestExponent = -24;
  static constexpr double kMax = 65504;
};
template <>
struct FloatFormat<Bfloat16> {
  static constexpr int kDigits = 8;
  static constexpr int kLowestExponent = -133;
  static constexpr double kMax = 0x1.FEp127;
};

namespace internal {

/// The magnitude of a float, as an integer times a power of two.
struct Magnitude {
  std::uint64_t mantissa = 0;
  int exponent = 0;
};

template <typename T>
Magnitude GetMagnitude(T value) {
  if constexpr (kIsInteger<T>) {
    const auto bits = static_cast<std::uint64_t>(value);
    return {std::is_signed_v<T> && value < T{} ? ~bits + 1 : bits, 0};
  } else {
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(static_cast<double>(value)), &exponent);
    return {static_cast<std::uint64_t>(std::ldexp(fraction, DBL_MANT_DIG)), exponent - DBL_MANT_DIG};
  }
}

/// Divides `mantissa` by 2^`shift` (`shift` is at least 1) and rounds to an integer.
inline std::uint64_t ShiftAndRound(std::uint64_t mantissa, int shift, bool negative, Rounding rounding) {
  constexpr int kWidth = 64;
  const std::uint64_t kept = shift >= kWidth ? 0 : mantissa >> shift;
  const std::uint64_t rest = shift >= kWidth ? mantissa : mantissa - (kept << shift);
  if (rest == 0) return kept;
  const std::uint64_t half = shift > kWidth ? 0 : std::uint64_t{1} << (shift - 1);
  const bool above_half = shift <= kWidth && rest > half;
  const bool at_half = shift <= kWidth && rest == half;
  switch (rounding) {
    case Rounding::kNearestEven:
      return kept + (above_half || (at_half && kept % 2 == 1) ? 1 : 0);
    case Rounding::kNearestAway:
      return kept + (above_half || at_half ? 1 : 0);
    case Rounding::kTowardsPositive:
      return kept + (negative ? 0 : 1);
    case Rounding::kTowardsNegative:
      return kept + (negative ? 1 : 0);
    case Rounding::kTowardsZero:
      break;
  }
  return kept;
}

/// Rounds a finite `value` to the precision of the float type To, but does not limit it to the range of To.
template <typename To, typename From>
double RoundToPrecision(From value, Rounding rounding) {
  using Format = FloatFormat<To>;
  const Magnitude magnitude = GetMagnitude(value);
  const auto width = static_cast<int>(std::bit_width(magnitude.mantissa));
  const int exponent = std::max(width + magnitude.exponent - Format::kDigits, Format::kLowestExponent);
  const int shift = exponent - magnitude.exponent;
  if (shift <= 0) return static_cast<double>(value);
  const bool negative = std::signbit(static_cast<double>(value));
  const std::uint64_t rounded = ShiftAndRound(magnitude.mantissa, shift, negative, rounding);
  return std::copysign(std::ldexp(static_cast<double>(rounded), exponent), negative ? -1.0 : 1.0);
}

inline double RoundToInteger(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearestEven:
      return std::nearbyint(value);  // in the default rounding mode
    case Rounding::kTowardsZero:
      return std::trunc(value);
    case Rounding::kTowardsPositive:
      return std::ceil(value);
    case Rounding::kTowardsNegative:
      return std::floor(value);
    case Rounding::kNearestAway:
      break;
  }
  return std::round(value);
}

/// Reduces a finite integral `value` modulo 2^64.
inline std::uint64_t ReduceModulo(double value) {
  const double rest = std::fmod(value, 0x1p64);
  return rest < 0 ? ~static_cast<std::uint64_t>(-rest) + 1 : static_cast<std::uint64_t>(rest);
}

template <typename To, typename From>
std::optional<To> CastToInteger(From value, const CastRules& rules) {
  if constexpr (kIsInteger<From>) {
    if (std::in_range<To>(value) || rules.out_of_range == OutOfRange::kWrap) return static_cast<To>(value);
    if (rules.out_of_range == OutOfRange::kError) return std::nullopt;
    return std::cmp_less(value, 0) ? std::numeric_limits<To>::min() : std::numeric_limits<To>::max();
  } else {
    constexpr auto kLow = static_cast<double>(std::numeric_limits<To>::min());
    const double end = std::ldexp(1.0, std::numeric_limits<To>::digits);
    if (!std::isfinite(static_cast<double>(value))) return std::nullopt;
    const double rounded = RoundToInteger(value, rules.rounding);
    if (rounded >= kLow && rounded < end) return static_cast<To>(rounded);
    if (rules.out_of_range == OutOfRange::kError) return std::nullopt;
    if (rules.out_of_range == OutOfRange::kWrap) return static_cast<To>(ReduceModulo(rounded));
    return rounded < 0 ? std::numeric_limits<To>::min() : std::numeric_limits<To>::max();
  }
}

template <typename To, typename From>
std::optional<To> CastToFloat(From value, const CastRules& rules) {
  if constexpr (kIsFloat<From>) {
    if (!std::isfinite(static_cast<double>(value))) return static_cast<To>(static_cast<double>(value));
  }
  if constexpr (std::is_floating_point_v<To>) {  // the CPU rounds half to even
    if (rules.rounding == Rounding::kNearestEven) {
      const auto direct = static_cast<To>(value);
      if (std::isfinite(direct)) return direct;
    }
  }
  const double rounded = RoundToPrecision<To>(value, rules.rounding);
  if (std::fabs(rounded) <= FloatFormat<To>::kMax) return static_cast<To>(rounded);
  if (rules.out_of_range != OutOfRange::kClamp) return std::nullopt;
  return static_cast<To>(std::copysign(std::numeric_limits<double>::infinity(), rounded));
}

}  // namespace internal

/// Casts `value` to integers that use only the lowest `bits` (0: all of them).
template <typename To>
std::optional<To> LimitBits(To value, unsigned bits, OutOfRange out_of_range) {
  if constexpr (kIsInteger<To> && sizeof(To) == 1) {
    if (bits == 0) return value;
    const int count = 1 << bits;
    const int low = std::is_signed_v<To> ? -count / 2 : 0;
    const int above = value - low;
    if (above >= 0 && above < count) return value;
    if (out_of_range == OutOfRange::kError) return std::nullopt;
    if (out_of_range == OutOfRange::kWrap) return static_cast<To>(low + (above & (count - 1)));
    return static_cast<To>(above < 0 ? low : low + count - 1);
  }
  return value;
}

/// The numbers that a type has.
struct NumberRange {
  bool is_integer;
  bool is_signed;
  int digits;           ///< Binary ones, without the sign.
  int lowest_exponent;  ///< Of floats, as in FloatFormat.
  double max;
};

template <typename T>
constexpr NumberRange GetNumberRange() {
  if constexpr (kIsInteger<T>) {
    return {true, std::is_signed_v<T>, std::numeric_limits<T>::digits, 0, 0};
  } else {
    return {false, true, FloatFormat<T>::kDigits, FloatFormat<T>::kLowestExponent, FloatFormat<T>::kMax};
  }
}

/// Returns true if each number of one type is also one of the other. Throws like VisitReal.
inline bool IsWidening(const DataType& from, const DataType& to) {
  const auto get_range = [](auto element) { return GetNumberRange<decltype(element)>(); };
  const NumberRange source = VisitReal(from, get_range);
  const NumberRange target = VisitReal(to, get_range);
  const bool has_digits = source.digits <= target.digits;
  if (source.is_integer) return has_digits && (target.is_signed || !source.is_signed);
  return has_digits && !target.is_integer && source.lowest_exponent >= target.lowest_exponent &&
         source.max <= target.max;
}

/// Casts `value`. If To cannot represent it, it is first rounded and then brought into the range of To, as specified by
/// `rules`. Returns nullopt if the rules do not specify how, and for NaN and infinities if To is an integer.
template <typename To, typename From>
std::optional<To> CastNumber(From value, const CastRules& rules) {
  if constexpr (kIsInteger<To>) {
    return internal::CastToInteger<To>(value, rules);
  } else {
    return internal::CastToFloat<To>(value, rules);
  }
}

}  // namespace zarr
