// SPDX-License-Identifier: MIT
#include "zarrlib/base/small_float.h"

#include <cmath>
#include <limits>

namespace zarr {
namespace {

using Specials = SmallFloat::Specials;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

int GetWidth(const SmallFloat& format) {
  return format.exponent_bits + format.mantissa_bits + (format.specials == Specials::kE8m0 ? 0 : 1);
}

bool IsNan(const SmallFloat& format, unsigned exponent, unsigned mantissa, bool negative) {
  const unsigned highest = (1u << format.exponent_bits) - 1;
  switch (format.specials) {
    case Specials::kIeee:
      return exponent == highest && mantissa != 0;
    case Specials::kFn:
      return exponent == highest && mantissa == (1u << format.mantissa_bits) - 1;
    case Specials::kFnuz:
      return negative && exponent == 0 && mantissa == 0;
    case Specials::kE8m0:
      return exponent == highest;
    case Specials::kNone:
      break;
  }
  return false;
}

}  // namespace

const SmallFloat* FindSmallFloat(std::string_view name) {
  for (const SmallFloat& format : kSmallFloats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

float DecodeSmallFloat(const SmallFloat& format, std::uint8_t bits) {
  const unsigned mantissa = bits & ((1u << format.mantissa_bits) - 1);
  const unsigned exponent = (bits >> format.mantissa_bits) & ((1u << format.exponent_bits) - 1);
  const bool has_sign = format.specials != Specials::kE8m0;
  const bool negative = has_sign && ((bits >> (format.exponent_bits + format.mantissa_bits)) & 1) != 0;
  if (IsNan(format, exponent, mantissa, negative)) return kNan;
  if (!has_sign) return std::ldexp(1.0f, static_cast<int>(exponent) - format.bias);
  float magnitude;
  if (format.specials == Specials::kIeee && exponent == (1u << format.exponent_bits) - 1) {
    magnitude = std::numeric_limits<float>::infinity();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(mantissa), 1 - format.bias - format.mantissa_bits);
  } else {
    magnitude = std::ldexp(static_cast<float>(mantissa + (1u << format.mantissa_bits)),
                           static_cast<int>(exponent) - format.bias - format.mantissa_bits);
  }
  return negative ? -magnitude : magnitude;
}

std::uint8_t EncodeSmallFloat(const SmallFloat& format, double value) {
  const unsigned count = 1u << GetWidth(format);
  unsigned best = 0;
  float nearest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (unsigned bits = 0; bits < count; ++bits) {
    const float candidate = DecodeSmallFloat(format, static_cast<std::uint8_t>(bits));
    if (std::isnan(value) || std::isnan(candidate)) {
      if (std::isnan(value) && std::isnan(candidate)) return static_cast<std::uint8_t>(bits);
      continue;
    }
    if (std::isinf(candidate) ? candidate == value : std::signbit(candidate) == std::signbit(value)) {
      const double distance = std::isinf(candidate) ? 0 : std::fabs(candidate - value);
      // For a value far beyond all candidates, the differences are equal after rounding: the last candidate is then the
      // largest.
      const bool on_one_side = std::fabs(value) > std::fmax(std::fabs(candidate), std::fabs(nearest));
      const bool nearer = distance < smallest || (distance == smallest && (on_one_side || (bits & 1) == 0));
      if (!nearer) continue;
      best = bits;
      nearest = candidate;
      smallest = distance;
    }
  }
  return static_cast<std::uint8_t>(best);
}

}  // namespace zarr
