// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/cast_number.h"

#include <gtest/gtest.h>

#include <limits>
#include <string_view>

namespace zarr {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr CastRules kClamp = {Rounding::kNearestEven, OutOfRange::kClamp};
constexpr CastRules kWrap = {Rounding::kNearestEven, OutOfRange::kWrap};

template <typename To, typename From>
std::optional<To> Cast(From value, Rounding rounding) {
  return CastNumber<To>(value, {rounding, OutOfRange::kError});
}

TEST(CastNumber, RoundsToIntegersInAllFiveWays) {
  struct Row {
    Rounding rounding;
    std::int8_t of_25, of_35, of_minus_25, of_27, of_minus_27;
  };
  const Row rows[] = {{Rounding::kNearestEven, 2, 4, -2, 3, -3},
                      {Rounding::kTowardsZero, 2, 3, -2, 2, -2},
                      {Rounding::kTowardsPositive, 3, 4, -2, 3, -2},
                      {Rounding::kTowardsNegative, 2, 3, -3, 2, -3},
                      {Rounding::kNearestAway, 3, 4, -3, 3, -3}};
  for (const Row& row : rows) {
    SCOPED_TRACE(static_cast<int>(row.rounding));
    EXPECT_EQ((Cast<std::int8_t>(2.5, row.rounding)), row.of_25);
    EXPECT_EQ((Cast<std::int8_t>(3.5f, row.rounding)), row.of_35);
    EXPECT_EQ((Cast<std::int8_t>(-2.5, row.rounding)), row.of_minus_25);
    EXPECT_EQ((Cast<std::int8_t>(2.7, row.rounding)), row.of_27);
    EXPECT_EQ((Cast<std::int8_t>(-2.7, row.rounding)), row.of_minus_27);
  }
}

TEST(CastNumber, RoundsToFloatsInAllFiveWays) {
  // Float32 holds every second integer from 2^24 on.
  constexpr std::int64_t kTie = (1 << 24) + 1;
  constexpr float kLow = 1 << 24;
  constexpr auto kHigh = static_cast<float>((1 << 24) + 2);
  EXPECT_EQ((Cast<float>(kTie, Rounding::kNearestEven)), kLow);
  EXPECT_EQ((Cast<float>(kTie, Rounding::kNearestAway)), kHigh);
  EXPECT_EQ((Cast<float>(kTie, Rounding::kTowardsZero)), kLow);
  EXPECT_EQ((Cast<float>(kTie, Rounding::kTowardsPositive)), kHigh);
  EXPECT_EQ((Cast<float>(kTie, Rounding::kTowardsNegative)), kLow);
  EXPECT_EQ((Cast<float>(-kTie, Rounding::kTowardsPositive)), -kLow);
  EXPECT_EQ((Cast<float>(-kTie, Rounding::kTowardsNegative)), -kHigh);
  EXPECT_EQ((Cast<float>(static_cast<double>(-kTie), Rounding::kTowardsNegative)), -kHigh);
  EXPECT_EQ((Cast<float>(static_cast<double>(kTie) + 0.25, Rounding::kNearestEven)), kHigh);
}

TEST(CastNumber, RoundsLargeIntegersOnce) {
  // Half way between two values of bfloat16, except for a last bit that float64 does not have.
  constexpr std::uint64_t kAboveTie = (std::uint64_t{0x101} << 55) + 1;
  EXPECT_EQ((Cast<Bfloat16>(kAboveTie, Rounding::kNearestEven)->bits), Bfloat16(0x1.02p63).bits);
  EXPECT_EQ((Cast<double>(std::numeric_limits<std::uint64_t>::max(), Rounding::kTowardsZero)), 0x1.FFFFFFFFFFFFFp63);
  EXPECT_EQ((Cast<double>(std::numeric_limits<std::int64_t>::min(), Rounding::kTowardsZero)), -0x1p63);
}

TEST(CastNumber, RoundsSubnormalFloats) {
  EXPECT_EQ((Cast<float>(0x1.8p-149, Rounding::kTowardsZero)), 0x1p-149f);
  EXPECT_EQ((Cast<float>(0x1.8p-149, Rounding::kNearestAway)), 0x1p-148f);
  EXPECT_EQ((Cast<float>(0x1p-1000, Rounding::kTowardsPositive)), 0x1p-149f);
  EXPECT_EQ((Cast<float>(0x1p-150, Rounding::kNearestAway)), 0x1p-149f);
  EXPECT_EQ((Cast<float>(0x1p-151, Rounding::kNearestAway)), 0.0f);
  EXPECT_TRUE(std::signbit(*Cast<float>(-0x1p-1000, Rounding::kTowardsZero)));
  EXPECT_EQ((Cast<Half>(0x1.8p-24, Rounding::kTowardsZero)->bits), 1);
}

TEST(CastNumber, AgreesWithTheRoundingOfHalfs) {
  for (const double value : {0.1, 1.0 / 3, 2049.0, 2051.0, 65504.0, 65519.0, 6e-8, 3e-8, 2e-8, -1234.5}) {
    EXPECT_EQ((Cast<Half>(value, Rounding::kNearestEven)->bits), Half(value).bits) << value;
    EXPECT_EQ((Cast<Bfloat16>(value, Rounding::kNearestEven)->bits), Bfloat16(value).bits) << value;
  }
}

TEST(CastNumber, KeepsSignedZerosAndNaN) {
  EXPECT_TRUE(std::signbit(*Cast<float>(-0.0, Rounding::kNearestEven)));
  EXPECT_TRUE(std::signbit(*Cast<float>(-0.0, Rounding::kTowardsPositive)));
  EXPECT_TRUE(std::signbit(*Cast<double>(-0.0f, Rounding::kNearestEven)));
  EXPECT_TRUE(std::isnan(*Cast<float>(kNaN, Rounding::kTowardsZero)));
  EXPECT_TRUE(std::isnan(static_cast<float>(*Cast<Half>(kNaN, Rounding::kNearestEven))));
  EXPECT_EQ((Cast<float>(-kInfinity, Rounding::kNearestEven)), -kInfinity);
}

TEST(CastNumber, HasNoIntegerForNaNAndInfinity) {
  for (const CastRules& rules : {CastRules(), kClamp, kWrap}) {
    EXPECT_EQ(CastNumber<std::int32_t>(kNaN, rules), std::nullopt);
    EXPECT_EQ(CastNumber<std::int32_t>(kInfinity, rules), std::nullopt);
    EXPECT_EQ(CastNumber<std::uint8_t>(-std::numeric_limits<float>::infinity(), rules), std::nullopt);
  }
}

TEST(CastNumber, RefusesWhatIsOutOfRange) {
  EXPECT_EQ(CastNumber<std::int8_t>(128.0, {}), std::nullopt);
  EXPECT_EQ(CastNumber<std::uint8_t>(-1, {}), std::nullopt);
  EXPECT_EQ(CastNumber<std::uint64_t>(0x1p64, {}), std::nullopt);
  EXPECT_EQ(CastNumber<std::int64_t>(0x1p63, {}), std::nullopt);
  EXPECT_EQ(CastNumber<std::int64_t>(-0x1p63, {}), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(CastNumber<float>(1e39, {}), std::nullopt);
  EXPECT_FALSE(CastNumber<Half>(65520, {}).has_value());
  EXPECT_EQ(CastNumber<std::int8_t>(127.4, {}), 127);
  EXPECT_EQ(CastNumber<std::int8_t>(127.6, {}), std::nullopt) << "is rounded first";
}

TEST(CastNumber, Clamps) {
  EXPECT_EQ(CastNumber<std::int8_t>(128.0, kClamp), 127);
  EXPECT_EQ(CastNumber<std::int8_t>(-1000, kClamp), -128);
  EXPECT_EQ(CastNumber<std::uint8_t>(std::int64_t{-1}, kClamp), 0);
  EXPECT_EQ(CastNumber<std::int64_t>(std::numeric_limits<std::uint64_t>::max(), kClamp),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(CastNumber<float>(-1e39, kClamp), -kInfinity);
  EXPECT_EQ(CastNumber<Half>(70000, kClamp)->bits, 0x7C00);
}

TEST(CastNumber, WrapsAround) {  // the first three as the specification has them
  EXPECT_EQ(CastNumber<std::int16_t>(32768, kWrap), -32768);
  EXPECT_EQ(CastNumber<std::int16_t>(32769.0, kWrap), -32767);
  EXPECT_EQ(CastNumber<std::int16_t>(-32769.0, kWrap), 32767);
  EXPECT_EQ(CastNumber<std::uint8_t>(-1.0, kWrap), 255);
  EXPECT_EQ(CastNumber<std::uint64_t>(-1.0, kWrap), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(CastNumber<std::uint32_t>(0x1p70 + 0x1p20, kWrap), (1u << 20));
}

TEST(CastNumber, KnowsWhatIsAlwaysExact) {
  const auto is_widening = [](std::string_view from, std::string_view to) {
    return IsWidening(DataType::FromV3(JsonNode::MakeString(from)), DataType::FromV3(JsonNode::MakeString(to)));
  };
  EXPECT_TRUE(is_widening("int32", "float64"));
  EXPECT_TRUE(is_widening("uint16", "float32"));
  EXPECT_TRUE(is_widening("float16", "float32"));
  EXPECT_TRUE(is_widening("uint8", "int16"));
  EXPECT_TRUE(is_widening("uint8", "float16"));
  EXPECT_TRUE(is_widening("uint8", "uint8"));
  EXPECT_FALSE(is_widening("int32", "float32"));
  EXPECT_FALSE(is_widening("int64", "float64"));
  EXPECT_FALSE(is_widening("int8", "uint8"));
  EXPECT_FALSE(is_widening("int8", "uint64"));
  EXPECT_FALSE(is_widening("uint8", "int8"));
  EXPECT_FALSE(is_widening("float16", "int64"));
  EXPECT_FALSE(is_widening("bfloat16", "float16"));
  EXPECT_FALSE(is_widening("float16", "bfloat16"));
}

}  // namespace
}  // namespace zarr
