// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/bytes_codec.h"

#include "autotest/cpp/support/array_codec_test_util.h"

namespace zarr {
namespace {

using test::BytesOf;
using test::ExpectError;
using test::HexOf;
using test::NamedCodec;
using test::Spec;
using test::SpecV2;

std::shared_ptr<const ResolvedArrayToBytes> ResolveBytes(std::string_view configuration, const ChunkSpec& spec) {
  return std::get<std::shared_ptr<const ArrayToBytesCodec>>(MakeCodec(NamedCodec("bytes", configuration)))
      ->Resolve(spec);
}

constexpr std::string_view kLittle = R"({"endian": "little"})";
constexpr std::string_view kBig = R"({"endian": "big"})";
constexpr std::string_view kNative = kNativeEndian == Endian::kLittle ? kLittle : kBig;
constexpr std::string_view kOther = kNativeEndian == Endian::kLittle ? kBig : kLittle;

TEST(BytesCodec, LittleEndianIsACopyOnMostMachines) {
  const auto codec = ResolveBytes(kLittle, Spec({3}, "uint16"));
  EXPECT_EQ(codec->is_copy(), kNativeEndian == Endian::kLittle);
  EXPECT_EQ(codec->encoded_size(), 6u);
  EXPECT_EQ(codec->inner_chunk_shape(), nullptr);
  Bytes encoded;
  codec->Encode(BytesOf<std::uint16_t>({1, 2, 258}), &encoded);
  EXPECT_EQ(HexOf(encoded), "01 00 02 00 02 01");
}

TEST(BytesCodec, BigEndianReversesBothWays) {
  const auto codec = ResolveBytes(kBig, Spec({3}, "uint16"));
  EXPECT_EQ(codec->is_copy(), kNativeEndian == Endian::kBig);
  const Bytes decoded = BytesOf<std::uint16_t>({1, 2, 258});
  Bytes encoded;
  codec->Encode(decoded, &encoded);
  EXPECT_EQ(HexOf(encoded), "00 01 00 02 01 02");
  Bytes again(6);
  codec->Decode(encoded, again);
  EXPECT_EQ(again, decoded);
}

TEST(BytesCodec, ComplexNumbersAreReversedPartByPart) {
  const auto codec = ResolveBytes(kBig, Spec({1}, "complex64"));
  Bytes encoded;
  codec->Encode(BytesOf({1.0f, 2.0f}), &encoded);
  EXPECT_EQ(HexOf(encoded), "3f 80 00 00 40 00 00 00");
}

TEST(BytesCodec, StructFieldsAreReversedOnTheirOwn) {
  const auto codec = ResolveBytes(kOther, Spec({1}, R"({"name": "struct", "configuration": {"fields": [
      {"name": "a", "data_type": "uint8"}, {"name": "b", "data_type": "uint16"}, {"name": "c", "data_type": "r24"}]}})"));
  Bytes encoded;
  codec->Encode(BytesOf<std::uint8_t>({1, 2, 3, 4, 5, 6}), &encoded);
  EXPECT_EQ(HexOf(encoded), "01 03 02 04 05 06");
}

TEST(BytesCodec, TypesOfV2KeepTheirOwnOrder) {
  const auto codec = ResolveBytes(kLittle, SpecV2({1}, ">i4"));
  EXPECT_EQ(codec->is_copy(), kNativeEndian == Endian::kBig);
  Bytes encoded;
  codec->Encode(BytesOf<std::int32_t>({1}), &encoded);
  EXPECT_EQ(HexOf(encoded), "00 00 00 01");
}

TEST(BytesCodec, WithoutAByteOrderItIsLittleEndian) {
  EXPECT_TRUE(ResolveBytes("{}", Spec({3}, "uint8"))->is_copy());
  EXPECT_TRUE(ResolveBytes("{}", Spec({3}, "bool"))->is_copy());
  EXPECT_TRUE(ResolveBytes("{}", Spec({3}, "r64"))->is_copy());
  EXPECT_TRUE(ResolveBytes(R"({"endian": null})", Spec({3}, "int8"))->is_copy());
  EXPECT_EQ(ResolveBytes("{}", SpecV2({3}, ">i4"))->is_copy(), kNativeEndian == Endian::kBig);
  for (const char* configuration : {"{}", R"({"endian": null})", R"({"endian": "little"})"}) {
    Bytes decoded(4);
    ResolveBytes(configuration, Spec({2}, "uint16"))->Decode(BytesOf<std::uint8_t>({1, 0, 2, 0}), decoded);
    EXPECT_EQ(decoded, BytesOf<std::uint16_t>({1, 2})) << configuration;
  }
}

// --- integers narrower than a byte --------------------------------------------------------------------------------

Bytes DecodedNarrow(std::string_view data_type, const Bytes& encoded) {
  Bytes decoded(encoded.size());
  ResolveBytes("{}", Spec({encoded.size()}, data_type))->Decode(encoded, decoded);
  return decoded;
}

TEST(BytesCodec, UpperBitsOfNarrowIntegersAreIgnored) {
  const Bytes encoded = BytesOf<std::uint8_t>({0x05, 0xF5, 0xA5, 0x0B, 0xFB, 0x7B});
  EXPECT_EQ(DecodedNarrow("int4", encoded), BytesOf<std::int8_t>({5, 5, 5, -5, -5, -5}));
  EXPECT_EQ(DecodedNarrow("uint4", encoded), BytesOf<std::uint8_t>({5, 5, 5, 11, 11, 11}));
  EXPECT_EQ(DecodedNarrow("int2", encoded), BytesOf<std::int8_t>({1, 1, 1, -1, -1, -1}));
  EXPECT_EQ(DecodedNarrow("uint2", encoded), BytesOf<std::uint8_t>({1, 1, 1, 3, 3, 3}));
}

TEST(BytesCodec, NarrowIntegersReachTheirEnds) {
  EXPECT_EQ(DecodedNarrow("int4", BytesOf<std::uint8_t>({8, 7})), BytesOf<std::int8_t>({-8, 7}));
  EXPECT_EQ(DecodedNarrow("int2", BytesOf<std::uint8_t>({2, 1})), BytesOf<std::int8_t>({-2, 1}));
  EXPECT_EQ(DecodedNarrow("uint4", BytesOf<std::uint8_t>({15})), BytesOf<std::uint8_t>({15}));
  EXPECT_EQ(DecodedNarrow("uint2", BytesOf<std::uint8_t>({3})), BytesOf<std::uint8_t>({3}));
}

TEST(BytesCodec, NarrowIntegersAreNotACopy) {
  EXPECT_FALSE(ResolveBytes(kLittle, Spec({3}, "int4"))->is_copy());
  EXPECT_EQ(ResolveBytes(kLittle, Spec({3}, "int4"))->encoded_size(), 3u);
}

TEST(BytesCodec, NarrowIntegersMayBeFields) {
  const auto codec = ResolveBytes(kNative, Spec({2}, R"({"name": "struct", "configuration": {"fields": [
      {"name": "a", "data_type": "uint16"}, {"name": "b", "data_type": "int4"}]}})"));
  EXPECT_FALSE(codec->is_copy());
  Bytes decoded(6);
  codec->Decode(BytesOf<std::uint8_t>({1, 2, 0x0B, 3, 4, 0xF5}), decoded);
  EXPECT_EQ(decoded, BytesOf<std::uint8_t>({1, 2, 0xFB, 3, 4, 5}));
}

TEST(BytesCodec, NarrowIntegersRoundTrip) {
  const auto codec = ResolveBytes(kBig, Spec({4}, "int4"));
  const Bytes decoded = BytesOf<std::int8_t>({-8, -1, 0, 7});
  Bytes encoded;
  codec->Encode(decoded, &encoded);
  Bytes again(4);
  codec->Decode(encoded, again);
  EXPECT_EQ(again, decoded);
}

TEST(BytesCodec, HasAnOldName) {
  const auto codec = std::get<std::shared_ptr<const ArrayToBytesCodec>>(MakeCodec(NamedCodec("endian", kOther)));
  EXPECT_FALSE(codec->Resolve(Spec({3}, "uint16"))->is_copy());
}

TEST(BytesCodec, RefusesWrongConfigurations) {
  ExpectError([] { MakeCodec(NamedCodec("bytes", R"({"endian": "middle"})")); }, ErrorKind::kCorrupt, "/endian",
              "\"little\" or \"big\"");
  ExpectError([] { MakeCodec(NamedCodec("bytes", R"({"endian": 1})")); }, ErrorKind::kCorrupt, "/endian", "a string");
}

TEST(BytesCodec, RefusesTypesOfVariableLength) {
  ExpectError([] { ResolveBytes(kLittle, Spec({3}, "string")); }, ErrorKind::kUnsupported, "", "\"string\"");
  ExpectError([] { ResolveBytes(kLittle, Spec({3}, "banana")); }, ErrorKind::kUnsupported, "", "\"banana\"");
}

TEST(BytesCodec, RefusesBytesOfAnotherLength) {
  const auto codec = ResolveBytes(kLittle, Spec({2, 2}, "uint16"));
  Bytes decoded(8);
  for (const std::size_t size : {0, 7, 9, 16}) {
    ExpectError([&] { codec->Decode(Bytes(size), decoded); }, ErrorKind::kCorrupt, "",
                "expected 8 bytes, got " + std::to_string(size));
  }
}

TEST(BytesCodec, ChunksOfNoBytes) {
  const auto codec = ResolveBytes(kBig, Spec({0, 5}, "uint16"));
  EXPECT_EQ(codec->encoded_size(), 0u);
  Bytes encoded(3);
  codec->Encode({}, &encoded);
  EXPECT_TRUE(encoded.empty());
  EXPECT_NO_THROW(codec->Decode({}, {}));
  EXPECT_NO_THROW(ResolveBytes("{}", SpecV2({4}, "|S0"))->Decode({}, {}));
}

}  // namespace
}  // namespace zarr
