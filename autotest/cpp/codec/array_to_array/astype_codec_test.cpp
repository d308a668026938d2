// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/astype_codec.h"

#include <limits>

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

Filter AsType(std::string_view encoded, std::string_view decoded) {
  const std::string configuration =
      R"({"encode_dtype": ")" + std::string(encoded) + R"(", "decode_dtype": ")" + std::string(decoded) + "\"}";
  return ResolveFilter("numcodecs.astype", configuration, SpecV2({4}, decoded));
}

TEST(AsTypeCodec, WrapsIntegersAround) {
  const auto filter = AsType("|i1", "<i4");
  EXPECT_EQ(EncodeTo<std::int8_t>(filter, std::vector<std::int32_t>{1, 300, -129, 128}),
            (std::vector<std::int8_t>{1, 44, 127, -128}));
  EXPECT_EQ(DecodeTo<std::int32_t>(filter, std::vector<std::int8_t>{-128}), (std::vector<std::int32_t>{-128}));
}

TEST(AsTypeCodec, TruncatesFloats) {
  const auto filter = AsType("<i2", "<f8");
  EXPECT_EQ(EncodeTo<std::int16_t>(filter, std::vector{1.9, -1.9, 300.0, 70000.7}),
            (std::vector<std::int16_t>{1, -1, 300, 4464}));
  EXPECT_EQ(DecodeTo<double>(filter, std::vector<std::int16_t>{-5}), (std::vector<double>{-5}));
}

TEST(AsTypeCodec, GivesWhatNumPyGivesForWhatNoIntegerIs) {  // NumPy 1.24 on x86-64
  const std::vector<double> values = {kNotANumber, 1e30, -1e30, 3e9};
  EXPECT_EQ(EncodeTo<std::uint8_t>(AsType("|u1", "<f8"), values), (std::vector<std::uint8_t>{0, 0, 0, 0}));
  constexpr auto kLowest32 = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(EncodeTo<std::int32_t>(AsType("<i4", "<f8"), values),
            (std::vector<std::int32_t>{kLowest32, kLowest32, kLowest32, kLowest32}));
  constexpr auto kLowest64 = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(EncodeTo<std::int64_t>(AsType("<i8", "<f8"), values),
            (std::vector<std::int64_t>{kLowest64, kLowest64, kLowest64, 3'000'000'000}));
  EXPECT_EQ(EncodeTo<std::uint64_t>(AsType("<u8", "<f8"), std::vector{1e19, -300.0}),
            (std::vector<std::uint64_t>{10'000'000'000'000'000'000u, 18446744073709551316u}));
}

TEST(AsTypeCodec, MakesBooleansOfWhatIsNotZero) {
  const auto filter = AsType("|b1", "<f4");
  EXPECT_EQ(EncodeTo<std::uint8_t>(filter, std::vector{0.0f, -0.0f, 0.5f, static_cast<float>(kNotANumber)}),
            (std::vector<std::uint8_t>{0, 0, 1, 1}));
  EXPECT_EQ(DecodeTo<float>(filter, std::vector<std::uint8_t>{0, 1, 7}), (std::vector{0.0f, 1.0f, 1.0f}));
}

TEST(AsTypeCodec, RoundsToHalfPrecision) {
  const auto filter = AsType("<f2", "<f8");
  EXPECT_EQ(EncodeTo<std::uint16_t>(filter, std::vector{1.0 / 3, 65520.0}),
            (std::vector<std::uint16_t>{0x3555, 0x7C00}));
  EXPECT_EQ(DecodeTo<double>(filter, std::vector<std::uint16_t>{0x3555}), (std::vector{0.333251953125}));
}

TEST(AsTypeCodec, IsElementwiseAndPassesItsTypeOn) {
  const auto spec = WithFill(SpecV2({4}, "<f8"), 2.75);
  const auto filter = ResolveFilter("numcodecs.astype", R"({"encode_dtype": ">i2", "decode_dtype": "<f8"})", spec);
  EXPECT_TRUE(filter->elementwise());
  EXPECT_EQ(filter->encoded().data_type.name, ">i2");
  EXPECT_EQ(filter->encoded().data_type.endian, Endian::kBig);
  EXPECT_EQ(filter->encoded().fill_value, (FillValue{BytesOf<std::int16_t>({2}), true}));
}

TEST(AsTypeCodec, RunsOnAPartOfTheChunk) {
  const auto filter = AsType("|u1", "<u2");
  EXPECT_EQ(DecodeTo<std::uint16_t>(filter, std::vector<std::uint8_t>{9}), (std::vector<std::uint16_t>{9}));
}

TEST(AsTypeCodec, NeedsTheEncodedType) {
  ExpectError([] { ResolveFilter("astype", R"({"decode_dtype": "<f8"})", SpecV2({4}, "<f8")); }, ErrorKind::kCorrupt,
              "", "encode_dtype");
}

}  // namespace
}  // namespace zarr
