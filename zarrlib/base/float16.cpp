// SPDX-License-Identifier: MIT
#include "zarrlib/base/float16.h"

#include <bit>
#include <cmath>

namespace zarr {
namespace {

/// Divides `value` by 2^`exponent` and rounds to an integer, half to even (the default rounding mode).
std::uint32_t RoundScaled(double value, int exponent) {
  return static_cast<std::uint32_t>(std::nearbyint(std::ldexp(value, -exponent)));
}

}  // namespace

float ConvertHalfToFloat(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1F;
  const std::uint32_t mantissa = half & 0x3FF;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | mantissa << 13);
  if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
  const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
  return sign ? -magnitude : magnitude;
}

std::uint16_t ConvertDoubleToHalf(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7E00;
  if (magnitude >= 65520.0) return sign | 0x7C00;
  if (magnitude < 0x1p-14) return static_cast<std::uint16_t>(sign | RoundScaled(magnitude, -24));
  const int exponent = std::ilogb(magnitude);
  // A mantissa rounded up to 2048 carries into the exponent, which is correct.
  const std::uint32_t mantissa = RoundScaled(magnitude, exponent - 10);
  return static_cast<std::uint16_t>(sign | ((static_cast<std::uint32_t>(exponent + 14) << 10) + mantissa));
}

float ConvertBfloat16ToFloat(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint16_t ConvertDoubleToBfloat16(double value) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) return sign | 0x7FC0;
  if (magnitude < 0x1p-126) return static_cast<std::uint16_t>(sign | RoundScaled(magnitude, -133));
  const int exponent = std::isinf(value) ? 128 : std::ilogb(magnitude);
  if (exponent > 127) return sign | 0x7F80;
  const std::uint32_t mantissa = RoundScaled(magnitude, exponent - 7);
  return static_cast<std::uint16_t>(sign | ((static_cast<std::uint32_t>(exponent + 126) << 7) + mantissa));
}

}  // namespace zarr
