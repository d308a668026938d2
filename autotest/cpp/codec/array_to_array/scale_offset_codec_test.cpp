// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/scale_offset_codec.h"

#include <limits>

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

Filter ScaleOffset(std::string_view configuration, std::string_view data_type) {
  return ResolveFilter("scale_offset", configuration, Spec({4}, data_type));
}

TEST(ScaleOffsetCodec, SubtractsAndMultiplies) {
  const auto filter = ScaleOffset(R"({"offset": 5, "scale": 0.5})", "float64");
  EXPECT_EQ(EncodeTo<double>(filter, std::vector{5.0, 7.0, -1.0}), (std::vector{0.0, 1.0, -3.0}));
  EXPECT_EQ(DecodeTo<double>(filter, std::vector{0.0, 1.0, -3.0}), (std::vector{5.0, 7.0, -1.0}));
}

TEST(ScaleOffsetCodec, DividesInTheArraysPrecision) {
  const auto filter = ScaleOffset(R"({"offset": -0.1, "scale": 10000})", "float32");
  const float expected = 1234.0f / 10000.0f + -0.1f;
  EXPECT_EQ(DecodeTo<float>(filter, std::vector{1234.0f}), (std::vector{expected}));
  const auto half = ScaleOffset(R"({"scale": 3})", "float16");
  EXPECT_EQ(DecodeTo<std::uint16_t>(half, std::vector<std::uint16_t>{0x3C00}), (std::vector<std::uint16_t>{0x3555}));
}

TEST(ScaleOffsetCodec, DoesNothingByDefault) {
  for (const char* configuration : {"{}", "null"}) {
    const auto filter = ScaleOffset(configuration, "int16");
    EXPECT_EQ(EncodeTo<std::int16_t>(filter, std::vector<std::int16_t>{-7}), (std::vector<std::int16_t>{-7}));
    EXPECT_TRUE(filter->elementwise());
  }
}

TEST(ScaleOffsetCodec, KeepsIntegersExact) {
  const auto filter = ScaleOffset(R"({"offset": 1000, "scale": 2})", "uint16");
  EXPECT_EQ(EncodeTo<std::uint16_t>(filter, std::vector<std::uint16_t>{1000, 1255}),
            (std::vector<std::uint16_t>{0, 510}));
  EXPECT_EQ(DecodeTo<std::uint16_t>(filter, std::vector<std::uint16_t>{0, 510}),
            (std::vector<std::uint16_t>{1000, 1255}));
  const auto negating = ScaleOffset(R"({"scale": -1})", "int64");
  EXPECT_EQ(DecodeTo<std::int64_t>(negating, std::vector<std::int64_t>{5}), (std::vector<std::int64_t>{-5}));
}

TEST(ScaleOffsetCodec, RefusesWhatIntegersCannotHold) {
  const auto decode_kind = [](const char* configuration, const char* type, auto value) {
    const auto filter = ScaleOffset(configuration, type);
    return ErrorOf([&] { DecodeTo<decltype(value)>(filter, std::vector{value}); }).kind();
  };
  EXPECT_EQ(decode_kind(R"({"scale": 2})", "uint8", std::uint8_t{7}), ErrorKind::kCorrupt);
  EXPECT_EQ(decode_kind(R"({"offset": 200})", "uint8", std::uint8_t{100}), ErrorKind::kCorrupt);
  EXPECT_EQ(decode_kind(R"({"scale": -1})", "int32", std::numeric_limits<std::int32_t>::min()), ErrorKind::kCorrupt);
  const auto filter = ScaleOffset(R"({"offset": 10})", "uint8");
  ExpectError([&] { EncodeTo<std::uint8_t>(filter, std::vector<std::uint8_t>{9}); }, ErrorKind::kInvalidArgument, "",
              "(x - offset) * scale for x = 9");
  const auto scaled = ScaleOffset(R"({"scale": 3})", "uint8");
  ExpectError([&] { EncodeTo<std::uint8_t>(scaled, std::vector<std::uint8_t>{100}); }, ErrorKind::kInvalidArgument, "",
              "x = 100");
}

TEST(ScaleOffsetCodec, KnowsTheRangeOfNarrowIntegers) {
  const auto filter = ScaleOffset(R"({"offset": 3})", "int4");
  EXPECT_EQ(EncodeTo<std::int8_t>(filter, std::vector<std::int8_t>{7, -5}), (std::vector<std::int8_t>{4, -8}));
  EXPECT_EQ(DecodeTo<std::int8_t>(filter, std::vector<std::int8_t>{4}), (std::vector<std::int8_t>{7}));
  EXPECT_EQ(ErrorOf([&] { EncodeTo<std::int8_t>(filter, std::vector<std::int8_t>{-6}); }).kind(),
            ErrorKind::kInvalidArgument);
  EXPECT_EQ(ErrorOf([&] { DecodeTo<std::int8_t>(filter, std::vector<std::int8_t>{5}); }).kind(), ErrorKind::kCorrupt);
}

TEST(ScaleOffsetCodec, LetsFloatsOverflow) {
  const auto filter = ScaleOffset(R"({"scale": 0.001})", "float32");
  EXPECT_EQ(DecodeTo<float>(filter, std::vector{std::numeric_limits<float>::max()}),
            (std::vector{std::numeric_limits<float>::infinity()}));
}

TEST(ScaleOffsetCodec, TakesValuesAsFillValuesAreWritten) {
  const auto filter = ScaleOffset(R"({"offset": "0x40000000"})", "float32");  // 2
  EXPECT_EQ(EncodeTo<float>(filter, std::vector{5.0f}), (std::vector{3.0f}));
}

TEST(ScaleOffsetCodec, TransformsTheFillValue) {
  const auto spec = WithFill<std::uint16_t>(Spec({4}, "uint16"), 1003);
  const auto filter = ResolveFilter("scale_offset", R"({"offset": 1000})", spec);
  EXPECT_EQ(filter->encoded().fill_value, (FillValue{BytesOf<std::uint16_t>({3}), true}));
  EXPECT_EQ(filter->encoded().data_type, spec.data_type);
}

TEST(ScaleOffsetCodec, RefusesAFillValueThatCannotBeTransformed) {
  const auto spec = WithFill<std::uint16_t>(Spec({4}, "uint16"), 0);
  ExpectError([&] { ResolveFilter("scale_offset", R"({"offset": 1000})", spec); }, ErrorKind::kInvalidArgument, "",
              "the fill value cannot be encoded");
}

TEST(ScaleOffsetCodec, ChecksItsConfiguration) {
  ExpectError([] { ScaleOffset(R"({"factor": 1})", "int8"); }, ErrorKind::kCorrupt, "/factor", "unknown member");
  ExpectError([] { ScaleOffset(R"({"scale": 0})", "int8"); }, ErrorKind::kCorrupt, "/scale", "not 0");
  ExpectError([] { ScaleOffset(R"({"scale": 0.0})", "float64"); }, ErrorKind::kCorrupt, "/scale", "not 0");
  ExpectError([] { ScaleOffset(R"({"scale": 0.5})", "int8"); }, ErrorKind::kCorrupt, "/scale", "integer");
  ExpectError([] { ScaleOffset(R"({"offset": 300})", "uint8"); }, ErrorKind::kCorrupt, "/offset", "");
  ExpectError([] { ScaleOffset("{}", "complex64"); }, ErrorKind::kUnsupported, "", "integers or floats");
}

}  // namespace
}  // namespace zarr
