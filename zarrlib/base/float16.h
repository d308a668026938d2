#pragma once

#include <cstdint>

namespace zarr {

/// IEEE 754 binary16 to binary32: exact.
float HalfToFloat(std::uint16_t half);
/// Rounds half to even, overflows to infinity; a NaN becomes the quiet one of the same sign.
std::uint16_t DoubleToHalf(double value);

/// bfloat16 is the upper half of a binary32.
float Bfloat16ToFloat(std::uint16_t bits);
std::uint16_t DoubleToBfloat16(double value);

}  // namespace zarr
