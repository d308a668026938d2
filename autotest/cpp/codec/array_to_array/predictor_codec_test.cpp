// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/predictor_codec.h"

#include "autotest/cpp/support/filter_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

// --- differences --------------------------------------------------------------------------------------------------

TEST(AxisDeltaCodec, TakesDifferencesAlongTheAxis) {
  const std::vector<std::uint8_t> values = {1, 3, 6, 10, 9, 0};
  const auto last = ResolveFilter("imagecodecs_delta", R"({"axis": -1, "dist": 1})", Spec({2, 3}, "uint8"));
  EXPECT_EQ(EncodeTo<std::uint8_t>(last, values), (std::vector<std::uint8_t>{1, 2, 3, 10, 255, 247}));
  EXPECT_EQ(DecodeTo<std::uint8_t>(last, std::vector<std::uint8_t>{1, 2, 3, 10, 255, 247}), values);
  const auto first = ResolveFilter("imagecodecs_delta", R"({"axis": 0})", Spec({2, 3}, "uint8"));
  EXPECT_EQ(EncodeTo<std::uint8_t>(first, values), (std::vector<std::uint8_t>{1, 3, 6, 9, 6, 250}));
  EXPECT_EQ(DecodeTo<std::uint8_t>(first, std::vector<std::uint8_t>{1, 3, 6, 9, 6, 250}), values);
}

TEST(AxisDeltaCodec, TakesNumbersOfEverySize) {
  const auto round_trip = [](auto zero, const char* type) {
    using T = decltype(zero);
    std::vector<T> values;
    for (int i = 0; i < 24; ++i) values.push_back(static_cast<T>(1000003 * i % 97));
    for (const char* axis : {"-3", "-2", "-1", "0", "1", "2"}) {
      const auto filter =
          ResolveFilter("imagecodecs_delta", R"({"axis": )" + std::string(axis) + "}", Spec({2, 3, 4}, type));
      EXPECT_EQ(DecodeTo<T>(filter, EncodeTo<T>(filter, values)), values) << type << axis;
    }
  };
  round_trip(std::int8_t(), "int8");
  round_trip(std::uint16_t(), "uint16");
  round_trip(std::int32_t(), "int32");
  round_trip(std::uint64_t(), "uint64");
  round_trip(float(), "float32");
  round_trip(double(), "float64");
}

/// The configuration may tell another shape for the same elements.
TEST(AxisDeltaCodec, TakesTheShapeOfTheConfiguration) {
  const auto filter =
      ResolveFilter("numcodecs.imagecodecs_delta", R"({"axis": -2, "dist": 1, "shape": [1, 2, 3], "dtype": "|u1"})",
                    Spec({6}, "uint8"));
  EXPECT_EQ(DecodeTo<std::uint8_t>(filter, std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}),
            (std::vector<std::uint8_t>{1, 2, 3, 5, 7, 9}));
}

TEST(AxisDeltaCodec, ChecksItsConfiguration) {
  const auto expect = [](std::string_view configuration, ErrorKind kind, std::string_view pointer) {
    ExpectError([&] { ResolveFilter("imagecodecs_delta", configuration, SpecV2({2, 3}, "<u2")); }, kind, pointer, "");
  };
  expect(R"({"axis": 2})", ErrorKind::kCorrupt, "");
  expect(R"({"axis": -3})", ErrorKind::kCorrupt, "");
  expect(R"({"dist": 2})", ErrorKind::kCorrupt, "/dist");
  expect(R"({"shape": [3, 3]})", ErrorKind::kCorrupt, "");
  expect(R"({"shape": 6})", ErrorKind::kCorrupt, "/shape");
  expect(R"({"dtype": "<u4"})", ErrorKind::kUnsupported, "");
  expect(R"({"dtype": ">u2"})", ErrorKind::kUnsupported, "");
  ExpectError([] { ResolveFilter("imagecodecs_delta", "{}", Spec({2}, "complex64")); }, ErrorKind::kUnsupported, "",
              "");
}

// --- floats -------------------------------------------------------------------------------------------------------

/// 1.0 and 2.0 are 3f800000 and 40000000: the bytes 3f 40 80 00 00 00 00 00, and their differences.
TEST(FloatPredictorCodec, SortsTheBytesOfARow) {
  const auto filter = ResolveFilter("imagecodecs_floatpred", "{}", Spec({1, 2}, "float32"));
  EXPECT_EQ(filter->encoded().data_type.kind, DataType::Kind::kRaw);
  Bytes encoded(8);
  filter->Encode(BytesOf<float>({1, 2}), encoded);
  EXPECT_EQ(HexOf(encoded), "3f 01 40 80 00 00 00 00");
  EXPECT_EQ(DecodeTo<float>(filter, ValuesOf<float>(encoded)), (std::vector<float>{1, 2}));
}

TEST(FloatPredictorCodec, RoundTrips) {
  const auto round_trip = [](auto zero, const char* type) {
    using T = decltype(zero);
    std::vector<T> values;
    for (int i = 0; i < 48; ++i) values.push_back(static_cast<T>(i * i - 100));
    for (const char* configuration : {R"({"axis": -1})", R"({"axis": -2})", R"({"axis": 2, "dist": 4})",
                                      R"({"dist": 2})", R"({"axis": -2, "shape": [6, 2, 4]})"}) {
      const auto filter = ResolveFilter("imagecodecs_floatpred", configuration, Spec({3, 4, 4}, type));
      EXPECT_EQ(DecodeTo<T>(filter, EncodeTo<T>(filter, values)), values) << type << configuration;
    }
  };
  round_trip(float(), "float32");
  round_trip(double(), "float64");
}

TEST(FloatPredictorCodec, ChecksItsConfiguration) {
  const auto expect = [](std::string_view configuration, std::string_view type, ErrorKind kind) {
    const auto resolve = [&] { ResolveFilter("imagecodecs_floatpred", configuration, Spec({2, 3, 5}, type)); };
    EXPECT_EQ(ErrorOf(resolve).kind(), kind) << configuration;
  };
  expect(R"({"axis": 0})", "float32", ErrorKind::kCorrupt);
  expect(R"({"dist": 2})", "float32", ErrorKind::kCorrupt);
  expect(R"({"dist": 5})", "float32", ErrorKind::kCorrupt);
  expect("{}", "int32", ErrorKind::kUnsupported);
}

}  // namespace
}  // namespace zarr
