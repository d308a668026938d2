// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_array/delta_codec.h"

#include <cmath>

#include "autotest/cpp/support/filter_test_util.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_registry.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

// The result of numcodecs 0.11 for the int8 numbers 1 5 3 -7 127 -128 0 2, cast to the decoded type.
const std::vector<std::int8_t> kNumbersWithJumps = {1, 5, 3, -7, 127, -128, 0, 2};

template <typename T>
std::vector<T> Numbers() {
  return std::vector<T>(kNumbersWithJumps.begin(), kNumbersWithJumps.end());
}

Filter Delta(std::string_view configuration, std::string_view dtype) {
  return ResolveFilter("numcodecs.delta", configuration, SpecV2({8}, dtype));
}

TEST(DeltaCodec, WrapsAroundAsNumcodecsDoes) {
  const auto filter = Delta(R"({"id": "delta", "dtype": "|i1", "astype": "|i1"})", "|i1");
  const auto stored = DecodeStored<std::int8_t>("0104fef686018002");
  EXPECT_EQ(EncodeTo<std::int8_t>(filter, kNumbersWithJumps), stored);
  EXPECT_EQ(DecodeTo<std::int8_t>(filter, stored), kNumbersWithJumps);
}

TEST(DeltaCodec, StoresAnotherTypeAsNumcodecsDoes) {
  const auto filter = Delta(R"({"dtype": "<i4", "astype": "<i2"})", "<i4");
  const auto stored = DecodeStored<std::int16_t>("01000400fefff6ff860001ff80000200");
  EXPECT_EQ(EncodeTo<std::int16_t>(filter, Numbers<std::int32_t>()), stored);
  EXPECT_EQ(DecodeTo<std::int32_t>(filter, stored), Numbers<std::int32_t>());
}

TEST(DeltaCodec, TakesFloatsAsNumcodecsDoes) {
  const auto filter = Delta(R"({"dtype": "<f4"})", "<f4");
  const auto stored = DecodeStored<float>("0000803f00008040000000c0000020c10000064300007fc30000004300000040");
  EXPECT_EQ(EncodeTo<float>(filter, Numbers<float>()), stored);
  EXPECT_EQ(DecodeTo<float>(filter, stored), Numbers<float>());
}

TEST(DeltaCodec, RoundsToHalfPrecisionAsNumcodecsDoes) {
  const auto filter = Delta(R"({"dtype": "<f2"})", "<f2");
  const auto stored = DecodeStored<std::uint16_t>("003c004400c000c93058f8db00580040");
  const std::vector<std::uint16_t> halves = {0x3C00, 0x4500, 0x4200, 0xC700, 0x57F0, 0xD800, 0, 0x4000};
  EXPECT_EQ(EncodeTo<std::uint16_t>(filter, halves), stored);
  EXPECT_EQ(DecodeTo<std::uint16_t>(filter, stored), halves);
}

TEST(DeltaCodec, SumsUpInTheLargerFloatAsNumcodecsDoes) {
  const auto filter = Delta(R"({"dtype": "<f4", "astype": "<f8"})", "<f4");
  EXPECT_EQ(DecodeTo<float>(filter, std::vector{16777216.0, 0.75, 0.75}),
            (std::vector{16777216.0f, 16777216.0f, 16777218.0f}));
}

TEST(DeltaCodec, KeepsTheSignOfZeroInFront) {
  const auto filter = Delta(R"({"dtype": "<f8"})", "<f8");
  EXPECT_TRUE(std::signbit(DecodeTo<double>(filter, std::vector{-0.0, 0.0})[0]));
}

TEST(DeltaCodec, NeedsTheWholeChunk) {
  EXPECT_FALSE(Delta(R"({"dtype": "<i4"})", "<i4")->elementwise());
}

TEST(DeltaCodec, KeepsTheByteOrderThatTheTypesOfV2Name) {
  const auto filter = Delta(R"({"dtype": ">i2", "astype": ">i4"})", ">i2");
  EXPECT_EQ(filter->encoded().data_type.endian, Endian::kBig);
  EXPECT_EQ(filter->encoded().data_type.size, 4u);
  EXPECT_EQ(filter->encoded().shape, Shape({8}));
}

TEST(DeltaCodec, LeavesTheByteOrderToTheBytesCodecOfV3) {
  const auto filter = ResolveFilter("numcodecs.delta", R"({"dtype": "<i4", "astype": ">i2"})", Spec({8}, "int32"));
  EXPECT_EQ(filter->encoded().data_type.endian, std::nullopt);
}

TEST(DeltaCodec, IsReadInAPipelineOfV2) {
  // By numcodecs 0.11, from big-endian elements to larger ones.
  const CodecSpec delta = NamedCodec("numcodecs.delta", R"({"id": "delta", "dtype": ">i2", "astype": ">i4"})");
  const auto pipeline = MakePipeline(std::vector{delta}, true)->Resolve(SpecV2({8}, ">i2"));
  const Bytes stored = FromHex("0000000100000004fffffffefffffff600000086ffffff010000008000000002");
  EXPECT_EQ(ValuesOf<std::int16_t>(DecodeChunk(*pipeline, stored, 16)), Numbers<std::int16_t>());
  EXPECT_EQ(EncodeChunk(*pipeline, BytesOf(Numbers<std::int16_t>())), stored);
}

TEST(DeltaCodec, IsReadInAPipelineOfV3) {
  // From an array that zarrita.js 0.7.5 wrote, which names no astype.
  const std::vector<CodecSpec> codecs = {NamedCodec("numcodecs.delta", R"({"dtype": "<i4"})"),
                                         NamedCodec("bytes", R"({"endian": "little"})")};
  const auto pipeline = MakePipeline(codecs, false)->Resolve(Spec({2, 2}, "int32"));
  const Bytes stored = FromHex("9cffffff250000002500000025000000");
  EXPECT_EQ(ValuesOf<std::int32_t>(DecodeChunk(*pipeline, stored, 16)),
            (std::vector<std::int32_t>{-100, -63, -26, 11}));
}

TEST(DeltaCodec, TakesTheArraysTypeAndNamesWithoutByteOrder) {
  for (const char* configuration : {"{}", R"({"dtype": "int16"})", R"({"dtype": "i2", "astype": null})"}) {
    const auto filter = ResolveFilter("delta", configuration, Spec({8}, "int16"));
    EXPECT_EQ(filter->encoded().data_type, Spec({}, "int16").data_type) << configuration;
  }
}

TEST(DeltaCodec, TakesElementsOfAnotherTypeByTheirBytes) {
  const auto filter = Delta(R"({"dtype": "<i8"})", "<M8[s]");
  EXPECT_EQ(DecodeTo<std::int64_t>(filter, std::vector<std::int64_t>{1000, 5}),
            (std::vector<std::int64_t>{1000, 1005}));
}

TEST(DeltaCodec, TakesStoredBytesForElementsOfAnotherSizeOrOrderAsNumcodecsDoes) {
  // By numcodecs 0.17, of the int16 numbers -500 -463 -426 -389 0 1 2 300 in the byte order of the array.
  const std::vector<std::int16_t> values = {-500, -463, -426, -389, 0, 1, 2, 300};
  const struct {
    const char* array;
    const char* dtype;
    const char* stored;
  } kCases[] = {
      {"<i2", "|i1", "0cf233cd58a87d83020001ff02fe2cd5"}, {"<i2", "|u1", "0cf233cd58a87d83020001ff02fe2cd5"},
      {"<i2", ">i2", "0cfe2500250025008402010001002a01"}, {"<i2", "<i2", "0cfe2500250025008501010001002a01"},
      {"<i2", "<u2", "0cfe2500250025008501010001002a01"}, {"<i2", ">u2", "0cfe2500250025008402010001002a01"},
      {"<i2", "<i4", "0cfe31fe4a004a00aa01850102002b01"}, {"<i2", ">i4", "0cfe31fe4a004a00a901850202002b01"},
      {"<i2", "<i8", "0cfe31fe56fe7bfef401cf01ab01b002"}, {"<i2", ">u8", "0cfe31fe56fe7bfef301cf01ab01b003"},
      {">i2", "|i1", "fe0ef233cd58a87d85000001ff02ff2b"}, {">i2", "|u1", "fe0ef233cd58a87d85000001ff02ff2b"},
      {">i2", ">i2", "fe0c002500250025018500010001012a"}, {">i2", "<i2", "fe0c002500250025028400010001012a"},
      {">i2", "<u2", "fe0c002500250025028400010001012a"}, {">i2", ">u2", "fe0c002500250025018500010001012a"},
      {">i2", "<i4", "fe0cfe31004a004a02a901850002012b"}, {">i2", ">i4", "fe0cfe31004a004a01a901860002012b"},
      {">i2", "<i8", "fe0cfe31fe56fe7b02f301cf01ab02b0"}, {">i2", ">u8", "fe0cfe31fe56fe7b01f301cf01ab02b1"},
  };
  for (const auto& [array, dtype, stored] : kCases) {
    SCOPED_TRACE(std::string(array) + " " + dtype);
    const CodecSpec delta = NamedCodec("numcodecs.delta", R"({"id": "delta", "dtype": ")" + std::string(dtype) + "\"}");
    const auto pipeline = MakePipeline(std::vector{delta}, true)->Resolve(SpecV2({8}, array));
    EXPECT_EQ(ValuesOf<std::int16_t>(DecodeChunk(*pipeline, FromHex(stored), 16)), values);
    EXPECT_EQ(EncodeChunk(*pipeline, BytesOf(values)), FromHex(stored));
  }
}

TEST(DeltaCodec, RefusesArraysOfAnotherSizeOrByteOrder) {
  ExpectError([] { Delta(R"({"dtype": "<i8", "astype": "<i4"})", "<i4"); }, ErrorKind::kCorrupt, "",
              "expected an array of data type");
  ExpectError([] { ResolveFilter("delta", R"({"dtype": "<i8"})", Spec({8}, "int32")); }, ErrorKind::kCorrupt, "",
              "expected an array of data type");
  ExpectError([] { Delta(R"({"dtype": "<f8"})", "<i4"); }, ErrorKind::kCorrupt, "", "expected an array of data type");
  ExpectError([] { ResolveFilter("numcodecs.delta", R"({"dtype": "<i8"})", SpecV2({3}, "<i4")); }, ErrorKind::kCorrupt,
              "", "expected an array of data type");
}

TEST(DeltaCodec, RefusesTypesThatAreNone) {
  ExpectError([] { Delta(R"({"dtype": "<q9"})", "<i4"); }, ErrorKind::kCorrupt, "/dtype", "NumPy type string");
  ExpectError([] { Delta(R"({"dtype": 4})", "<i4"); }, ErrorKind::kCorrupt, "/dtype", "string");
  ExpectError([] { Delta(R"({"astype": "|S4"})", "<i4"); }, ErrorKind::kUnsupported, "/astype", "integers, floats");
  ExpectError([] { Delta("{}", "|b1"); }, ErrorKind::kUnsupported, "", "integers or floats");
  ExpectError([] { Delta("{}", "<c8"); }, ErrorKind::kUnsupported, "", "integers, floats or booleans");
  ExpectError([] { ResolveFilter("delta", "{}", Spec({8}, "int4")); }, ErrorKind::kUnsupported, "", "int4");
}

TEST(DeltaCodec, CastsTheFillValue) {
  const auto spec = WithFill<std::int32_t>(SpecV2({8}, "<i4"), -7);
  const auto filter = ResolveFilter("numcodecs.delta", R"({"dtype": "<i4", "astype": "<i2"})", spec);
  EXPECT_EQ(filter->encoded().fill_value, (FillValue{BytesOf<std::int16_t>({-7}), true}));
  EXPECT_FALSE(Delta("{}", "<i4")->encoded().fill_value.defined);
}

}  // namespace
}  // namespace zarr
