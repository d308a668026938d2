// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace zarr {

/// A floating point format of at most 8 bits, in the low bits of one byte.
struct SmallFloat {
  /// Meaning of the bit patterns that are not ordinary numbers.
  enum class Specials {
    kIeee,  ///< The highest exponent encodes infinity and NaNs.
    kFn,    ///< All numbers are finite; all ones is the NaN.
    kFnuz,  ///< All numbers are finite; the pattern of negative zero is the NaN.
    kNone,  ///< All patterns are finite numbers.
    kE8m0,  ///< Powers of two without a sign; 255 is the NaN.
  };
  std::string_view name;  ///< Name of the v3 data type.
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

/// The formats registered by zarr-extensions.
inline constexpr std::array<SmallFloat, 11> kSmallFloats = {{
    {"float4_e2m1fn", 2, 1, 1, SmallFloat::Specials::kNone},
    {"float6_e2m3fn", 2, 3, 1, SmallFloat::Specials::kNone},
    {"float6_e3m2fn", 3, 2, 3, SmallFloat::Specials::kNone},
    {"float8_e3m4", 3, 4, 3, SmallFloat::Specials::kIeee},
    {"float8_e4m3", 4, 3, 7, SmallFloat::Specials::kIeee},
    {"float8_e4m3fn", 4, 3, 7, SmallFloat::Specials::kFn},
    {"float8_e4m3b11fnuz", 4, 3, 11, SmallFloat::Specials::kFnuz},
    {"float8_e4m3fnuz", 4, 3, 8, SmallFloat::Specials::kFnuz},
    {"float8_e5m2", 5, 2, 15, SmallFloat::Specials::kIeee},
    {"float8_e5m2fnuz", 5, 2, 16, SmallFloat::Specials::kFnuz},
    {"float8_e8m0fnu", 8, 0, 127, SmallFloat::Specials::kE8m0},
}};

/// Returns the format of that name, or nullptr.
const SmallFloat* FindSmallFloat(std::string_view name);

/// Decodes a number without loss.
float DecodeSmallFloat(const SmallFloat& format, std::uint8_t bits);
/// Encodes the nearest number of the format; a tie goes to the number whose last bit is 0. A value beyond the largest
/// number becomes infinity, or the largest number if the format has no infinity. A NaN becomes the format's NaN, or
/// zero if it has no NaN.
std::uint8_t EncodeSmallFloat(const SmallFloat& format, double value);

}  // namespace zarr
