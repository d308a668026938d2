// SPDX-License-Identifier: MIT
#include "zarrlib/base/float16.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace zarr {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Half, KnownValuesBothWays) {
  const std::pair<std::uint16_t, double> known[] = {
      {0x0000, 0.0},       {0x3C00, 1.0},       {0xC000, -2.0},           {0x7BFF, 65504.0},
      {0x0400, 0x1p-14},   {0x0001, 0x1p-24},   {0x03FF, 1023 * 0x1p-24}, {0x3555, 0.333251953125},
      {0x7C00, kInfinity}, {0xFC00, -kInfinity}};
  for (const auto& [bits, value] : known) {
    EXPECT_EQ(ConvertHalfToFloat(bits), value) << bits;
    EXPECT_EQ(ConvertDoubleToHalf(value), bits) << value;
  }
}

TEST(Half, KeepsTheSignOfZero) {
  EXPECT_EQ(ConvertDoubleToHalf(-0.0), 0x8000);
  EXPECT_TRUE(std::signbit(ConvertHalfToFloat(0x8000)));
  EXPECT_EQ(ConvertHalfToFloat(0x8000), 0.0f);
}

TEST(Half, NanStaysNan) {
  EXPECT_EQ(ConvertDoubleToHalf(std::numeric_limits<double>::quiet_NaN()), 0x7E00);
  EXPECT_EQ(ConvertDoubleToHalf(std::copysign(std::numeric_limits<double>::quiet_NaN(), -1.0)), 0xFE00);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(ConvertHalfToFloat(0x7E01)), 0x7FC02000u);
}

TEST(Half, EveryFiniteValueComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7C00) == 0x7C00 && (bits & 0x3FF) != 0) continue;  // NaN
    const auto half = static_cast<std::uint16_t>(bits);
    ASSERT_EQ(ConvertDoubleToHalf(ConvertHalfToFloat(half)), half);
  }
}

/// The middle of two neighbours is rounded to the even one, the numbers next to it to the nearer one.
TEST(Half, RoundsHalfToEven) {
  for (std::uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const auto low = static_cast<std::uint16_t>(bits);
    const auto high = static_cast<std::uint16_t>(bits + 1);
    const double middle = (double{ConvertHalfToFloat(low)} + ConvertHalfToFloat(high)) / 2;
    ASSERT_EQ(ConvertDoubleToHalf(middle), low % 2 == 0 ? low : high) << bits;
    ASSERT_EQ(ConvertDoubleToHalf(std::nextafter(middle, 0)), low) << bits;
    ASSERT_EQ(ConvertDoubleToHalf(-std::nextafter(middle, kInfinity)), high | 0x8000) << bits;
  }
}

TEST(Half, OverflowsToInfinity) {
  EXPECT_EQ(ConvertDoubleToHalf(std::nextafter(65520.0, 0)), 0x7BFF);
  EXPECT_EQ(ConvertDoubleToHalf(65520.0), 0x7C00);
  EXPECT_EQ(ConvertDoubleToHalf(-1e300), 0xFC00);
}

TEST(Half, UnderflowsToZero) {
  EXPECT_EQ(ConvertDoubleToHalf(0x1p-25), 0x0000);
  EXPECT_EQ(ConvertDoubleToHalf(std::nextafter(0x1p-25, 1)), 0x0001);
  EXPECT_EQ(ConvertDoubleToHalf(-5e-324), 0x8000);
}

TEST(Bfloat16, KnownValuesBothWays) {
  const std::pair<std::uint16_t, double> known[] = {{0x0000, 0.0},      {0x3F80, 1.0},       {0xC000, -2.0},
                                                    {0x4049, 3.140625}, {0x7F80, kInfinity}, {0xFF80, -kInfinity},
                                                    {0x0080, 0x1p-126}, {0x0001, 0x1p-133}};
  for (const auto& [bits, value] : known) {
    EXPECT_EQ(ConvertBfloat16ToFloat(bits), value) << bits;
    EXPECT_EQ(ConvertDoubleToBfloat16(value), bits) << value;
  }
}

TEST(Bfloat16, EveryFiniteValueComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7F80) == 0x7F80 && (bits & 0x7F) != 0) continue;  // NaN
    const auto bfloat = static_cast<std::uint16_t>(bits);
    ASSERT_EQ(ConvertDoubleToBfloat16(ConvertBfloat16ToFloat(bfloat)), bfloat);
  }
}

TEST(Bfloat16, RoundsHalfToEven) {
  for (std::uint32_t bits = 0; bits < 0x7F7F; ++bits) {
    const auto low = static_cast<std::uint16_t>(bits);
    const auto high = static_cast<std::uint16_t>(bits + 1);
    const double middle = (double{ConvertBfloat16ToFloat(low)} + ConvertBfloat16ToFloat(high)) / 2;
    ASSERT_EQ(ConvertDoubleToBfloat16(middle), low % 2 == 0 ? low : high) << bits;
    ASSERT_EQ(ConvertDoubleToBfloat16(std::nextafter(middle, 0)), low) << bits;
  }
}

TEST(Bfloat16, OverflowsToInfinityAndKeepsNan) {
  EXPECT_EQ(ConvertDoubleToBfloat16(1e39), 0x7F80);
  EXPECT_EQ(ConvertDoubleToBfloat16(-1e300), 0xFF80);
  EXPECT_EQ(ConvertDoubleToBfloat16(std::numeric_limits<double>::quiet_NaN()), 0x7FC0);
  EXPECT_EQ(ConvertDoubleToBfloat16(-0.0), 0x8000);
}

}  // namespace
}  // namespace zarr
