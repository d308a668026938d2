// SPDX-License-Identifier: MIT
#include "zarrlib/base/small_float.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace zarr {
namespace {

float Decode(const char* name, std::uint8_t bits) {
  return DecodeSmallFloat(*FindSmallFloat(name), bits);
}
std::uint8_t Encode(const char* name, double value) {
  return EncodeSmallFloat(*FindSmallFloat(name), value);
}

TEST(SmallFloat, LargestAndSmallestOfEachFormat) {
  EXPECT_EQ(Decode("float4_e2m1fn", 0x7), 6.0f);
  EXPECT_EQ(Decode("float6_e2m3fn", 0x1F), 7.5f);
  EXPECT_EQ(Decode("float6_e3m2fn", 0x1F), 28.0f);
  EXPECT_EQ(Decode("float8_e3m4", 0x6F), 15.5f);
  EXPECT_EQ(Decode("float8_e4m3", 0x77), 240.0f);
  EXPECT_EQ(Decode("float8_e4m3fn", 0x7E), 448.0f);
  EXPECT_EQ(Decode("float8_e4m3b11fnuz", 0x7F), 30.0f);
  EXPECT_EQ(Decode("float8_e4m3fnuz", 0x7F), 240.0f);
  EXPECT_EQ(Decode("float8_e5m2", 0x7B), 57344.0f);
  EXPECT_EQ(Decode("float8_e5m2fnuz", 0x7F), 57344.0f);
  EXPECT_EQ(Decode("float8_e8m0fnu", 0xFE), 0x1p127f);
  EXPECT_EQ(Decode("float8_e4m3fn", 0x01), 0x1p-9f);
  EXPECT_EQ(Decode("float8_e5m2", 0x81), -0x1p-16f);
  EXPECT_EQ(Decode("float8_e8m0fnu", 0x00), 0x1p-127f);
}

TEST(SmallFloat, NansAndInfinities) {
  EXPECT_TRUE(std::isnan(Decode("float8_e4m3fn", 0x7F)));
  EXPECT_TRUE(std::isnan(Decode("float8_e4m3fnuz", 0x80)));
  EXPECT_TRUE(std::isnan(Decode("float8_e5m2", 0x7D)));
  EXPECT_TRUE(std::isnan(Decode("float8_e8m0fnu", 0xFF)));
  EXPECT_EQ(Decode("float8_e5m2", 0xFC), -INFINITY);
  EXPECT_EQ(Encode("float8_e5m2", INFINITY), 0x7C);
  EXPECT_EQ(Encode("float8_e4m3fnuz", NAN), 0x80);
}

TEST(SmallFloat, EveryNumberComesBack) {
  for (const SmallFloat& format : kSmallFloats) {
    const unsigned width = static_cast<unsigned>(format.exponent_bits + format.mantissa_bits) +
                           (format.specials == SmallFloat::Specials::kE8m0 ? 0u : 1u);
    for (unsigned bits = 0; bits < 1u << width; ++bits) {
      const float value = DecodeSmallFloat(format, static_cast<std::uint8_t>(bits));
      if (std::isnan(value)) continue;
      EXPECT_EQ(EncodeSmallFloat(format, value), bits) << format.name;
    }
  }
}

TEST(SmallFloat, RoundsHalfToEven) {
  EXPECT_EQ(Decode("float8_e4m3fn", Encode("float8_e4m3fn", 17.0)), 16.0f);
  EXPECT_EQ(Decode("float8_e4m3fn", Encode("float8_e4m3fn", 19.0)), 20.0f);
  EXPECT_EQ(Decode("float8_e4m3fn", Encode("float8_e4m3fn", 17.5)), 18.0f);
}

TEST(SmallFloat, ClampsTheLargestNumbers) {
  for (const SmallFloat& format : kSmallFloats) {
    float largest = 0;
    for (unsigned bits = 0; bits < 256; ++bits) {
      const float value = DecodeSmallFloat(format, static_cast<std::uint8_t>(bits));
      if (std::isfinite(value)) largest = std::max(largest, value);
    }
    for (const double huge : {1e39, static_cast<double>(std::numeric_limits<float>::max())}) {
      EXPECT_EQ(DecodeSmallFloat(format, EncodeSmallFloat(format, huge)), largest) << format.name;
    }
  }
}

TEST(SmallFloat, UnknownName) {
  EXPECT_EQ(FindSmallFloat("float8"), nullptr);
}

}  // namespace
}  // namespace zarr
