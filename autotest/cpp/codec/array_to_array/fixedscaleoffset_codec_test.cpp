// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/fixedscaleoffset_codec.h"

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

// The encoded and decoded values here are those of numcodecs 0.11.
const std::vector<double> kNumbersToScale = {-2.5, 164.625, 331.75, 498.875, 666.0, 833.125, 1000.25};

Filter FixedScaleOffset(std::string_view configuration, std::string_view dtype) {
  return ResolveFilter("numcodecs.fixedscaleoffset", configuration, SpecV2({7}, dtype));
}

TEST(FixedScaleOffsetCodec, PacksFloatsIntoBytes) {
  const auto filter = FixedScaleOffset(R"({"scale": 0.25, "offset": -3, "dtype": "<f8", "astype": "|u1"})", "<f8");
  const auto stored = DecodeStored<std::uint8_t>("002a547da7d1fb");
  EXPECT_EQ(EncodeTo<std::uint8_t>(filter, kNumbersToScale), stored);
  EXPECT_EQ(DecodeTo<double>(filter, stored), (std::vector<double>{-3, 165, 333, 497, 665, 833, 1001}));
}

TEST(FixedScaleOffsetCodec, RoundsHalfToEven) {
  const auto filter = FixedScaleOffset(R"({"scale": 10, "offset": 5.5, "dtype": "<f8", "astype": "<i2"})", "<f8");
  const auto stored = DecodeStored<std::int16_t>("b0ff3706be0c4613cd195420dc26");
  EXPECT_EQ(EncodeTo<std::int16_t>(filter, kNumbersToScale), stored);
  EXPECT_EQ(DecodeTo<double>(filter, stored), (std::vector{-2.5, 164.6, 331.7, 498.9, 666.0, 833.1, 1000.3}));
}

TEST(FixedScaleOffsetCodec, WrapsAroundWhatDoesNotFit) {
  const auto filter = FixedScaleOffset(R"({"scale": 100, "offset": 1, "dtype": "<f4", "astype": "<i2"})", "<f4");
  const auto stored = DecodeStored<std::int16_t>("a2feea3f33817cc2c4030c455586");
  EXPECT_EQ(EncodeTo<std::int16_t>(filter, CastAll<float>(kNumbersToScale)), stored);
  EXPECT_EQ(DecodeTo<float>(filter, stored),
            CastAll<float>({-2.5, 164.6199951171875, -323.6099853515625, -156.47999572753906, 10.640000343322754,
                            177.75999450683594, -310.4700012207031}));
}

TEST(FixedScaleOffsetCodec, ComputesInTheFloatTypeThatIsStored) {
  const auto filter = FixedScaleOffset(R"({"scale": 8, "offset": 3, "dtype": "<f4", "astype": "<f4"})", "<f4");
  const auto stored = DecodeStored<float>("000030c200a0a1440060244500f0774500c0a5450088cf450050f945");
  EXPECT_EQ(EncodeTo<float>(filter, CastAll<float>(kNumbersToScale)), stored);
  EXPECT_EQ(DecodeTo<float>(filter, stored), CastAll<float>(kNumbersToScale));
}

TEST(FixedScaleOffsetCodec, KeepsIntegersExact) {
  const auto filter = FixedScaleOffset(R"({"scale": 2, "offset": -1000, "dtype": "<i4", "astype": "<i2"})", "<i4");
  const std::vector<std::int32_t> numbers = {-2, 164, 331, 498, 666, 833, 1000};
  const auto stored = DecodeStored<std::int16_t>("cc071809660ab40b040d520ea00f");
  EXPECT_EQ(EncodeTo<std::int16_t>(filter, numbers), stored);
  EXPECT_EQ(DecodeTo<std::int32_t>(filter, stored), numbers);
}

TEST(FixedScaleOffsetCodec, ScalesIntegersByAFraction) {
  const auto filter = FixedScaleOffset(R"({"scale": 0.1, "offset": 0.5, "dtype": "<i4", "astype": "<f4"})", "<i4");
  const auto stored = DecodeStored<float>("00000080000080410000044200004842000086420000a6420000c842");
  EXPECT_EQ(EncodeTo<float>(filter, std::vector<std::int32_t>{-2, 164, 331, 498, 666, 833, 1000}), stored);
  EXPECT_EQ(DecodeTo<std::int32_t>(filter, stored), (std::vector<std::int32_t>{0, 160, 330, 500, 670, 830, 1000}));
}

TEST(FixedScaleOffsetCodec, PassesTheFillValueOn) {
  const auto spec = WithFill(SpecV2({7}, "<f8"), 12.0);
  const auto filter = ResolveFilter("numcodecs.fixedscaleoffset",
                                    R"({"scale": 100, "offset": 10, "dtype": "<f8", "astype": "<i2"})", spec);
  EXPECT_TRUE(filter->elementwise());
  EXPECT_EQ(filter->encoded().fill_value, (FillValue{BytesOf<std::int16_t>({200}), true}));
}

TEST(FixedScaleOffsetCodec, NeedsBothNumbers) {
  ExpectError([] { FixedScaleOffset(R"({"offset": 1})", "<f8"); }, ErrorKind::kCorrupt, "", "scale");
  ExpectError([] { FixedScaleOffset(R"({"scale": 1})", "<f8"); }, ErrorKind::kCorrupt, "", "offset");
  ExpectError([] { FixedScaleOffset(R"({"scale": "x", "offset": 1})", "<f8"); }, ErrorKind::kCorrupt, "/scale",
              "a number");
}

}  // namespace
}  // namespace zarr
