// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace zarr {

/// Converts IEEE 754 binary16 to binary32 without loss.
float ConvertHalfToFloat(std::uint16_t half);
/// Rounds half to even; overflows to infinity. A NaN becomes the quiet NaN of the same sign.
std::uint16_t ConvertDoubleToHalf(double value);

/// Converts a bfloat16, which is the upper half of a binary32.
float ConvertBfloat16ToFloat(std::uint16_t bits);
std::uint16_t ConvertDoubleToBfloat16(double value);

}  // namespace zarr
