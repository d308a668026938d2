// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/bitround_codec.h"

#include <cmath>
#include <limits>

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();

Filter BitRound(int keep, std::string_view data_type) {
  return ResolveFilter("bitround", "{\"keepbits\": " + std::to_string(keep) + "}", Spec({8}, data_type));
}

TEST(BitRoundCodec, RoundsFloatsAsNumcodecsDoes) {  // numcodecs 0.11
  const std::vector<float> numbers = {0, 0.1f, 1.2f, 12.3f, -123.4f, 1234.5f, kFloatInfinity, -kFloatInfinity};
  EXPECT_EQ(EncodeTo<float>(BitRound(3, "float32"), numbers),
            DecodeStored<float>("000000000000d03d0000a03f000040410000f0c20000a0440000807f000080ff"));
  EXPECT_EQ(EncodeTo<float>(BitRound(23, "float32"), numbers), numbers);
  EXPECT_EQ(EncodeTo<float>(BitRound(64, "float32"), numbers), numbers);
}

TEST(BitRoundCodec, KeepsNoMantissaBitIfNumcodecsIsTold) {
  const auto filter = ResolveFilter("numcodecs.bitround", R"({"keepbits": 0})", SpecV2({8}, "<f8"));
  EXPECT_EQ(EncodeTo<double>(filter, std::vector{0.0, 0.1, 1.2, 12.3, -123.4, 1234.5}),
            DecodeStored<double>("0000000000000000000000000000c03f000000000000f03f000000000000304000000000000060c0"
                                 "0000000000009040"));
}

TEST(BitRoundCodec, RoundsHalfPrecision) {
  EXPECT_EQ(EncodeTo<std::uint16_t>(BitRound(5, "float16"), std::vector<std::uint16_t>{0x2E66, 0x3CCD, 0x4A26, 0xD7B6}),
            DecodeStored<std::uint16_t>("602ec03c204ac0d7"));
}

TEST(BitRoundCodec, RoundsBothPartsOfComplexNumbers) {
  EXPECT_EQ(EncodeTo<float>(BitRound(3, "complex64"), std::vector{1.2f, -123.4f}), (std::vector{1.25f, -120.0f}));
}

TEST(BitRoundCodec, RoundsIntegersFromTheirHighestBit) {  // the sample data of zarr-extensions
  EXPECT_EQ(EncodeTo<std::uint8_t>(BitRound(3, "uint8"),
                                   std::vector<std::uint8_t>{0, 1, 10, 11, 100, 123, 200, 208, 209, 255}),
            (std::vector<std::uint8_t>{0, 1, 10, 12, 96, 128, 192, 192, 224, 224}));
}

TEST(BitRoundCodec, RoundsNegativeIntegersByTheirMagnitude) {
  EXPECT_EQ(EncodeTo<std::int8_t>(BitRound(3, "int8"), std::vector<std::int8_t>{-11, -123, -128, 127, 123}),
            (std::vector<std::int8_t>{-12, -128, -128, 112, 112}));
  EXPECT_EQ(EncodeTo<std::uint64_t>(BitRound(1, "uint64"), std::vector<std::uint64_t>{UINT64_MAX}),
            (std::vector<std::uint64_t>{std::uint64_t{1} << 63}));
}

TEST(BitRoundCodec, NeverMakesANumberInfiniteOrNaNANumber) {
  const float max = std::numeric_limits<float>::max();
  const auto rounded = EncodeTo<float>(BitRound(1, "float32"), std::vector{max, -max, std::nanf("1"), -std::nanf("")});
  EXPECT_TRUE(std::isfinite(rounded[0]));
  EXPECT_TRUE(std::isfinite(rounded[1]));
  EXPECT_TRUE(std::isnan(rounded[2]));
  EXPECT_TRUE(std::isnan(rounded[3]));
  // All bits of the NaN's payload are among those that are rounded away.
  EXPECT_TRUE(std::isnan(EncodeTo<float>(BitRound(1, "float32"), DecodeStored<float>("0100807f"))[0]));
}

TEST(BitRoundCodec, KeepsWhatIsNotATime) {
  const auto filter = ResolveFilter("bitround", R"({"keepbits": 2})", SpecV2({2}, "<M8[s]"));
  EXPECT_EQ(EncodeTo<std::int64_t>(filter, std::vector<std::int64_t>{INT64_MIN, 11}),
            (std::vector<std::int64_t>{INT64_MIN, 12}));
}

TEST(BitRoundCodec, DecodesToTheSame) {
  const std::vector<float> numbers = {1.2345f, std::nanf("1")};
  EXPECT_EQ(BytesOf(DecodeTo<float>(BitRound(3, "float32"), numbers)), BytesOf(numbers));
  EXPECT_TRUE(BitRound(3, "float32")->elementwise());
}

TEST(BitRoundCodec, ChecksItsConfiguration) {
  ExpectError([] { BitRound(0, "float32"); }, ErrorKind::kCorrupt, "/keepbits", "1");
  ExpectError([] { ResolveFilter("bitround", "{}", Spec({1}, "float32")); }, ErrorKind::kCorrupt, "", "keepbits");
  ExpectError([] { BitRound(3, "bool"); }, ErrorKind::kUnsupported, "", "numbers");
  ExpectError([] { BitRound(3, "string"); }, ErrorKind::kUnsupported, "", "numbers");
}

}  // namespace
}  // namespace zarr
