// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/packbits_codec.h"

#include "autotest/cpp/support/filter_test_util.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_registry.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

// --- packbits of zarr-extensions -----------------------------------------------------------------------------------

ArrayCodec PackBits(std::string_view configuration, const Shape& shape, std::string_view data_type) {
  return ResolveArrayCodec("packbits", configuration, Spec(shape, data_type));
}

TEST(PackBitsCodec, PutsTheFirstBooleanIntoTheLowestBit) {
  const auto codec = PackBits("{}", {11}, "bool");
  const Bytes decoded = BytesOf<std::uint8_t>({1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1});
  EXPECT_EQ(HexOf(EncodeChunk(*codec, decoded)), "b9 05");
  EXPECT_EQ(DecodeChunk(*codec, FromHex("b905"), 11), decoded);
  EXPECT_EQ(codec->encoded_size(), 2u);
}

TEST(PackBitsCodec, TellsThePaddingAtEitherEnd) {
  const Bytes decoded = BytesOf<std::uint8_t>({1, 0, 1});
  const auto first = PackBits(R"({"padding_encoding": "first_byte"})", {3}, "bool");
  EXPECT_EQ(HexOf(EncodeChunk(*first, decoded)), "05 05");
  const auto last = PackBits(R"({"padding_encoding": "last_byte"})", {3}, "bool");
  EXPECT_EQ(HexOf(EncodeChunk(*last, BytesOf<std::uint8_t>({0, 0, 1}))), "04 05");
  EXPECT_EQ(DecodeChunk(*last, FromHex("0505"), 3), decoded);
  const auto none = PackBits(R"({"padding_encoding": "first_byte"})", {8}, "bool");
  EXPECT_EQ(HexOf(EncodeChunk(*none, Bytes(8))).substr(0, 2), "00");
}

TEST(PackBitsCodec, ExtendsTheSignOfAField) {
  const auto codec = PackBits(R"({"first_bit": 1, "last_bit": 5})", {4}, "int8");
  const Bytes decoded = BytesOf<std::int8_t>({-32, 30, -2, 0});
  const Bytes encoded = EncodeChunk(*codec, decoded);
  EXPECT_EQ(HexOf(encoded), "f0 7d 00");  // 10000 01111 11111 00000, lowest first
  EXPECT_EQ(DecodeChunk(*codec, encoded, 4), decoded);
  const auto unsigned_codec = PackBits(R"({"first_bit": 1, "last_bit": 5})", {4}, "uint8");
  EXPECT_EQ(DecodeChunk(*unsigned_codec, encoded, 4), BytesOf<std::uint8_t>({32, 30, 62, 0}));
}

TEST(PackBitsCodec, PacksNumbersNarrowerThanAByte) {
  EXPECT_EQ(HexOf(EncodeChunk(*PackBits("{}", {3}, "int4"), BytesOf<std::int8_t>({-8, 7, -1}))), "78 0f");
  EXPECT_EQ(DecodeChunk(*PackBits("{}", {3}, "int4"), FromHex("780f"), 3), BytesOf<std::int8_t>({-8, 7, -1}));
  EXPECT_EQ(DecodeChunk(*PackBits("{}", {4}, "uint2"), FromHex("e4"), 4), BytesOf<std::uint8_t>({0, 1, 2, 3}));
  EXPECT_EQ(DecodeChunk(*PackBits("{}", {2}, "float4_e2m1fn"), FromHex("f1"), 2), BytesOf<std::uint8_t>({1, 15}));
  EXPECT_EQ(DecodeChunk(*PackBits("{}", {1}, "complex_float4_e2m1fn"), FromHex("f1"), 2),
            BytesOf<std::uint8_t>({1, 15}));
  EXPECT_EQ(PackBits("{}", {4}, "float6_e2m3fn")->encoded_size(), 3u);
  EXPECT_EQ(PackBits("{}", {4}, "float8_e8m0fnu")->encoded_size(), 4u);
}

TEST(PackBitsCodec, IsTheBytesCodecForAllBits) {
  for (const char* type :
       {"int16", "uint32", "float64", "complex64", "bfloat16", "complex_bfloat16", "complex_float8_e5m2"}) {
    const ChunkSpec spec = Spec({3}, type);
    const Bytes decoded = codec_test::Noise(spec.byte_size());
    const auto codec = ResolveArrayCodec("packbits", "{}", spec);
    const Bytes encoded = EncodeChunk(*ResolveArrayCodec("bytes", R"({"endian": "little"})", spec), decoded);
    EXPECT_EQ(EncodeChunk(*codec, decoded), encoded) << type;
    EXPECT_EQ(DecodeChunk(*codec, encoded, decoded.size()), decoded) << type;
  }
}

TEST(PackBitsCodec, RoundTripsFieldsOfEveryWidth) {
  constexpr std::size_t kCount = 37;
  for (int width = 1; width <= 64; ++width) {
    for (int first = 0; first + width <= 64; first += 7) {
      SCOPED_TRACE(std::to_string(width) + " bits from " + std::to_string(first));
      const std::uint64_t mask = width == 64 ? UINT64_MAX : ((std::uint64_t{1} << width) - 1) << first;
      std::vector<std::uint64_t> numbers = ValuesOf<std::uint64_t>(codec_test::Noise(8 * kCount));
      for (std::uint64_t& number : numbers) number &= mask;
      const auto codec = PackBits(
          "{\"first_bit\": " + std::to_string(first) + ", \"last_bit\": " + std::to_string(first + width - 1) + "}",
          {kCount}, "uint64");
      const Bytes encoded = EncodeChunk(*codec, BytesOf(numbers));
      EXPECT_EQ(encoded.size(), (kCount * static_cast<std::size_t>(width) + 7) / 8);
      EXPECT_EQ(ValuesOf<std::uint64_t>(DecodeChunk(*codec, encoded, 8 * kCount)), numbers);
    }
  }
}

TEST(PackBitsCodec, PacksBothPartsOfComplexNumbers) {
  const auto codec = PackBits(R"({"first_bit": 16})", {1}, "complex64");
  EXPECT_EQ(HexOf(EncodeChunk(*codec, BytesOf({1.0f, -2.0f}))), "80 3f 00 c0");
}

TEST(PackBitsCodec, ChecksSizeAndPadding) {
  const auto codec = PackBits(R"({"padding_encoding": "last_byte"})", {3}, "bool");
  for (const char* hex : {"", "05", "050500", "0504", "05ff"}) {
    EXPECT_EQ(ErrorOf([&] { DecodeChunk(*codec, FromHex(hex), 3); }).kind(), ErrorKind::kCorrupt) << hex;
  }
}

TEST(PackBitsCodec, ChecksItsConfiguration) {
  const auto expect = [](const char* configuration, const char* pointer) {
    ExpectError([&] { PackBits(configuration, {3}, "uint8"); }, ErrorKind::kCorrupt, pointer, "");
  };
  expect(R"({"first_bit": 8})", "/first_bit");
  expect(R"({"first_bit": -1})", "/first_bit");
  expect(R"({"last_bit": 8})", "/last_bit");
  expect(R"({"first_bit": 4, "last_bit": 3})", "/last_bit");
  expect(R"({"padding_encoding": "both"})", "/padding_encoding");
  ExpectError([] { PackBits("{}", {3}, "string"); }, ErrorKind::kUnsupported, "", "numbers or booleans");
}

// --- packbits of numcodecs -----------------------------------------------------------------------------------------

const Bytes kBooleans = BytesOf<std::uint8_t>({1, 0, 0, 1, 1, 1, 0, 1, 1, 0, 1});

TEST(NumPyPackBits, PacksAsNumcodecsDoes) {  // numcodecs 0.11
  const auto filter = ResolveFilter("numcodecs.packbits", R"({"id": "packbits"})", SpecV2({11}, "|b1"));
  EXPECT_EQ(filter->encoded().shape, Shape({3}));
  EXPECT_EQ(filter->encoded().data_type.kind, DataType::Kind::kUint);
  EXPECT_FALSE(filter->elementwise());
  Bytes encoded(3);
  filter->Encode(kBooleans, encoded);
  EXPECT_EQ(HexOf(encoded), "05 9d a0");
  Bytes decoded(11);
  filter->Decode(encoded, decoded);
  EXPECT_EQ(decoded, kBooleans);
}

TEST(NumPyPackBits, NeedsNoPaddingForWholeBytes) {
  const auto filter = ResolveFilter("numcodecs.packbits", "{}", Spec({2, 4}, "bool"));
  Bytes encoded(2);
  filter->Encode(ByteSpan(kBooleans).first(8), encoded);
  EXPECT_EQ(HexOf(encoded), "00 9d");
}

TEST(NumPyPackBits, IsFollowedByBytesInAPipeline) {
  const std::vector<CodecSpec> v3 = {NamedCodec("numcodecs.packbits"), NamedCodec("bytes")};
  const auto pipeline = MakePipeline(v3, false)->Resolve(Spec({11}, "bool"));
  EXPECT_EQ(DecodeChunk(*pipeline, FromHex("059da0"), 11), kBooleans);
  const std::vector<CodecSpec> v2 = {NamedCodec("numcodecs.packbits"), NamedCodec("numcodecs.crc32")};
  const auto pipeline_v2 = MakePipeline(v2, true)->Resolve(SpecV2({11}, "|b1"));
  EXPECT_EQ(DecodeChunk(*pipeline_v2, EncodeChunk(*pipeline_v2, kBooleans), 11), kBooleans);
}

TEST(NumPyPackBits, ChecksThePadding) {
  const auto filter = ResolveFilter("numcodecs.packbits", "{}", Spec({11}, "bool"));
  Bytes decoded(11);
  ExpectError([&] { filter->Decode(FromHex("049da0"), decoded); }, ErrorKind::kCorrupt, "", "expected 5 padding bits");
}

TEST(NumPyPackBits, TakesBooleansOnly) {
  ExpectError([] { ResolveFilter("numcodecs.packbits", "{}", SpecV2({3}, "<i4")); }, ErrorKind::kUnsupported, "",
              "booleans");
}

}  // namespace
}  // namespace zarr
