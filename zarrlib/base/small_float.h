#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace zarr {

/// A floating point format of at most 8 bits, stored in one byte, in the low bits.
struct SmallFloat {
  /// What the bit patterns beyond the ordinary numbers are.
  enum class Specials {
    kIeee,  ///< The highest exponent: infinity and NaNs.
    kFn,    ///< Finite numbers but for one NaN, all ones.
    kFnuz,  ///< Finite, no negative zero: its pattern is the NaN.
    kNone,  ///< Finite numbers only.
    kE8m0,  ///< Powers of two without a sign; 255 is the NaN.
  };
  std::string_view name;  ///< As a v3 data type.
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

/// The formats that zarr-extensions registers.
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

/// The format of that name, or nullptr.
const SmallFloat* FindSmallFloat(std::string_view name);

/// Exact.
float DecodeSmallFloat(const SmallFloat& format, std::uint8_t bits);
/// The nearest number of the format, of two the one whose last bit is 0; what is beyond the largest becomes infinity,
/// or that number where there is none. A NaN becomes the format's, or zero where there is none.
std::uint8_t EncodeSmallFloat(const SmallFloat& format, double value);

}  // namespace zarr
