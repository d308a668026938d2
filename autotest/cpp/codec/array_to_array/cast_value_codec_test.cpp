// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/cast_value_codec.h"

#include <cmath>
#include <limits>

#include "autotest/cpp/support/filter_test_util.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_registry.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

constexpr float kFloatNaN = std::numeric_limits<float>::quiet_NaN();

Filter CastValue(std::string_view configuration, std::string_view data_type) {
  return ResolveFilter("cast_value", configuration, Spec({4}, data_type));
}

TEST(CastValueCodec, StoresTheSameValuesAsAnotherType) {
  const auto filter = CastValue(R"({"data_type": "uint8"})", "uint16");
  EXPECT_EQ(filter->encoded().data_type, Spec({}, "uint8").data_type);
  EXPECT_TRUE(filter->elementwise());
  EXPECT_EQ(EncodeTo<std::uint8_t>(filter, std::vector<std::uint16_t>{0, 255}), (std::vector<std::uint8_t>{0, 255}));
  EXPECT_EQ(DecodeTo<std::uint16_t>(filter, std::vector<std::uint8_t>{7}), (std::vector<std::uint16_t>{7}));
}

TEST(CastValueCodec, SaysWhichValueCannotBeStored) {
  const auto filter = CastValue(R"({"data_type": "uint8"})", "float32");
  ExpectError(
      [&] {
        EncodeTo<std::uint8_t>(filter, std::vector{1.0f, 300.5f});
      },
      ErrorKind::kInvalidArgument, "", "expected a value that can be cast to uint8, got 300.5");
  ExpectError([&] { EncodeTo<std::uint8_t>(filter, std::vector{kFloatNaN}); }, ErrorKind::kInvalidArgument, "", "NaN");
}

TEST(CastValueCodec, RefusesStoredValuesThatTheArrayCannotHold) {
  const auto filter = CastValue(R"({"data_type": "int32"})", "uint8");
  ExpectError([&] { DecodeTo<std::uint8_t>(filter, std::vector<std::int32_t>{-1}); }, ErrorKind::kCorrupt, "",
              "cast to uint8, got -1");
}

TEST(CastValueCodec, RoundsAndClampsAsItIsTold) {
  const auto filter =
      CastValue(R"({"data_type": "uint8", "rounding": "towards-zero", "out_of_range": "clamp"})", "float32");
  EXPECT_EQ(EncodeTo<std::uint8_t>(filter, std::vector{1.9f, -7.0f, 256.0f}), (std::vector<std::uint8_t>{1, 0, 255}));
}

TEST(CastValueCodec, ModelsNumPyAsItsSpecificationShows) {
  const auto filter = CastValue(R"({"data_type": "uint8", "rounding": "towards-zero", "out_of_range": "wrap",
      "scalar_map": {"encode": [["NaN", 0], ["+Infinity", 0], ["-Infinity", 0]]}})",
                                "float64");
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(EncodeTo<std::uint8_t>(filter, std::vector<double>{kFloatNaN, infinity, -infinity, 257.9, -1.5}),
            (std::vector<std::uint8_t>{0, 0, 0, 1, 255}));
}

TEST(CastValueCodec, MapsScalarsBeforeAllElse) {
  const auto filter = CastValue(R"({"data_type": "uint8", "scalar_map": {"encode": [["NaN", 0], [0, 255]],
      "decode": [[0, "NaN"], [255, 0.0], [0, 17]]}})",
                                "float32");
  EXPECT_EQ(EncodeTo<std::uint8_t>(filter, std::vector{kFloatNaN, 0.0f, -0.0f, 3.0f}),
            (std::vector<std::uint8_t>{0, 255, 255, 3}));
  const auto decoded = DecodeTo<float>(filter, std::vector<std::uint8_t>{0, 255, 3});
  EXPECT_TRUE(std::isnan(decoded[0])) << "the first pair counts";
  EXPECT_EQ(decoded[1], 0.0f);
  EXPECT_EQ(decoded[2], 3.0f);
}

TEST(CastValueCodec, KnowsTheRangeOfNarrowIntegers) {
  const std::vector<std::int16_t> numbers = {7, -8, 8, -9};
  const auto clamping = CastValue(R"({"data_type": "int4", "out_of_range": "clamp"})", "int16");
  EXPECT_EQ(EncodeTo<std::int8_t>(clamping, numbers), (std::vector<std::int8_t>{7, -8, 7, -8}));
  const auto wrapping = CastValue(R"({"data_type": "int4", "out_of_range": "wrap"})", "int16");
  EXPECT_EQ(EncodeTo<std::int8_t>(wrapping, numbers), (std::vector<std::int8_t>{7, -8, -8, 7}));
  const auto neither = CastValue(R"({"data_type": "uint2"})", "uint8");
  EXPECT_EQ(EncodeTo<std::uint8_t>(neither, std::vector<std::uint8_t>{3}), (std::vector<std::uint8_t>{3}));
  ExpectError([&] { EncodeTo<std::uint8_t>(neither, std::vector<std::uint8_t>{4}); }, ErrorKind::kInvalidArgument, "",
              "cast to uint2, got 4");
}

TEST(CastValueCodec, CastsTheFillValue) {
  const auto spec = WithFill(Spec({4}, "float32"), kFloatNaN);
  const auto filter =
      ResolveFilter("cast_value", R"({"data_type": "uint8", "scalar_map": {"encode": [["NaN", 9]]}})", spec);
  EXPECT_EQ(filter->encoded().fill_value, (FillValue{BytesOf<std::uint8_t>({9}), true}));
  ExpectError([&] { ResolveFilter("cast_value", R"({"data_type": "uint8"})", spec); }, ErrorKind::kInvalidArgument, "",
              "the fill value cannot be encoded");
}

TEST(CastValueCodec, TakesAFillValueThatIsRounded) {
  const auto spec = WithFill(Spec({4}, "float32"), -27.3f);
  const auto filter = ResolveFilter("cast_value", R"({"data_type": "int16"})", spec);
  EXPECT_EQ(filter->encoded().fill_value, (FillValue{BytesOf<std::int16_t>({-27}), true}));
}

TEST(CastValueCodec, WorksBehindScaleOffsetInAPipeline) {
  const std::vector<CodecSpec> codecs = {
      NamedCodec("scale_offset", R"({"offset": -10, "scale": 0.1})"),
      NamedCodec("cast_value",
                 R"({"data_type": "uint8", "scalar_map": {"encode": [["NaN", 0]], "decode": [[0, "NaN"]]}})"),
      NamedCodec("bytes")};
  const auto pipeline = MakePipeline(codecs, false)->Resolve(Spec({3}, "float64"));
  EXPECT_EQ(HexOf(EncodeChunk(*pipeline, BytesOf<double>({kFloatNaN, 0, 2540}))), "00 01 ff");
  const auto decoded = ValuesOf<double>(DecodeChunk(*pipeline, FromHex("0001ff"), 24));
  EXPECT_TRUE(std::isnan(decoded[0]));
  EXPECT_EQ(decoded[1], 0);
  EXPECT_EQ(decoded[2], 2540);
}

TEST(CastValueCodec, ChecksItsConfiguration) {
  const auto expect = [](const char* configuration, ErrorKind kind, const char* pointer, const char* part) {
    ExpectError([&] { CastValue(configuration, "float32"); }, kind, pointer, part);
  };
  expect("{}", ErrorKind::kCorrupt, "", "data_type");
  expect(R"({"data_type": "int8", "mode": 1})", ErrorKind::kCorrupt, "/mode", "unknown member");
  expect(R"({"data_type": "int8", "rounding": "up"})", ErrorKind::kCorrupt, "/rounding", "\"nearest-even\"");
  expect(R"({"data_type": "int8", "out_of_range": 1})", ErrorKind::kCorrupt, "/out_of_range", "string");
  expect(R"({"data_type": "float64", "out_of_range": "wrap"})", ErrorKind::kCorrupt, "/out_of_range", "integer");
  expect(R"({"data_type": "complex64"})", ErrorKind::kUnsupported, "/data_type", "integers or floats");
  expect(R"({"data_type": "float9"})", ErrorKind::kUnsupported, "/data_type", "float9");
  expect(R"({"data_type": "int8", "scalar_map": []})", ErrorKind::kCorrupt, "/scalar_map", "object");
  expect(R"({"data_type": "int8", "scalar_map": {"both": []}})", ErrorKind::kCorrupt, "/scalar_map/both", "unknown");
  expect(R"({"data_type": "int8", "scalar_map": {"encode": [[1]]}})", ErrorKind::kCorrupt, "/scalar_map/encode/0",
         "pair");
  expect(R"({"data_type": "int8", "scalar_map": {"encode": [[1, 300]]}})", ErrorKind::kCorrupt,
         "/scalar_map/encode/0/1", "");
  expect(R"({"data_type": "int8", "scalar_map": {"decode": [["NaN", 1]]}})", ErrorKind::kCorrupt,
         "/scalar_map/decode/0/0", "integer");
  expect(R"({"data_type": "int8", "scalar_map": {"encode": [[null, 1]]}})", ErrorKind::kCorrupt,
         "/scalar_map/encode/0/0", "number");
  ExpectError([] { CastValue(R"({"data_type": "int8"})", "bool"); }, ErrorKind::kUnsupported, "", "\"bool\"");
}

}  // namespace
}  // namespace zarr
