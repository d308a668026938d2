// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/optional_codec.h"

#include <cmath>

#include "autotest/cpp/support/filter_test_util.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/codec/codec_registry.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

constexpr std::string_view kMaskedBytes = R"({"mask_codecs": [{"name": "packbits"}],
    "data_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]})";
constexpr std::string_view kStrings =
    R"({"mask_codecs": [{"name": "packbits"}], "data_codecs": [{"name": "vlen-utf8"}]})";
constexpr std::string_view kNested = R"({"mask_codecs": [{"name": "packbits"}], "data_codecs": [{"name": "optional",
    "configuration": {"mask_codecs": [{"name": "packbits"}], "data_codecs": [{"name": "bytes"}]}}]})";

ChunkSpec OptionalSpec(const Shape& shape, std::string_view inner) {
  return Spec(shape, R"({"name": "optional", "configuration": {"name": ")" + std::string(inner) + R"("}})");
}

constexpr std::string_view kTwiceUint8 =
    R"({"name": "optional", "configuration": {"name": "optional", "configuration": {"name": "uint8"}}})";

/// Joins the sizes of a mask and of elements, and the two themselves.
Bytes JoinParts(const Bytes& mask, const Bytes& data) {
  Bytes joined = LittleEndianOf<std::uint64_t>({mask.size(), data.size()});
  joined.insert(joined.end(), mask.begin(), mask.end());
  joined.insert(joined.end(), data.begin(), data.end());
  return joined;
}

std::shared_ptr<const ResolvedPipeline> Pipeline(std::vector<CodecSpec> codecs, const ChunkSpec& spec) {
  return MakePipeline(codecs, false)->Resolve(spec);
}

template <typename T>
std::vector<T> DecodeAs(std::string_view type, const Bytes& mask, const std::vector<T>& there, std::uint64_t count) {
  const auto codec = ResolveArrayCodec("optional", kMaskedBytes, OptionalSpec({count}, type));
  return ValuesOf<T>(DecodeChunk(*codec, JoinParts(mask, LittleEndianOf(there)), count * sizeof(T)));
}

TEST(OptionalCodec, SpreadsElements) {
  EXPECT_EQ(DecodeAs<std::uint8_t>("uint8", FromHex("09"), {0, 5}, 4), (std::vector<std::uint8_t>{0, 255, 255, 5}));
  EXPECT_EQ(DecodeAs<std::int16_t>("int16", FromHex("02"), {-7}, 2), (std::vector<std::int16_t>{INT16_MIN, -7}));
  EXPECT_EQ(DecodeAs<std::uint64_t>("uint64", FromHex("00"), {}, 1), (std::vector<std::uint64_t>{UINT64_MAX}));
  EXPECT_EQ(DecodeAs<std::uint8_t>("bool", FromHex("03"), {1, 0}, 3), (std::vector<std::uint8_t>{1, 0, 255}));
  const auto floats = DecodeAs<double>("float64", FromHex("02"), {1.5}, 2);
  EXPECT_TRUE(std::isnan(floats[0]));
  EXPECT_EQ(floats[1], 1.5);
}

/// The chunks of this and of the next test are those of the specification's examples.
TEST(OptionalCodec, ReadsOptionalsInOptionals) {
  const auto codec = ResolveArrayCodec("optional", kNested, Spec({2, 2}, kTwiceUint8));
  const Bytes inner = JoinParts(FromHex("02"), FromHex("05"));
  EXPECT_EQ(DecodeChunk(*codec, JoinParts(FromHex("0a"), inner), 4), FromHex("ffffff05"));
  EXPECT_EQ(DecodeChunk(*codec, JoinParts(FromHex("0b"), JoinParts(FromHex("03"), FromHex("0307"))), 4),
            FromHex("0307ffff"));
}

TEST(OptionalCodec, WithoutElementsTheirBytesDoNotMatter) {
  const auto codec = ResolveArrayCodec("optional", kNested, Spec({2, 2}, kTwiceUint8));
  EXPECT_EQ(DecodeChunk(*codec, JoinParts(FromHex("00"), {}), 4), FromHex("ffffffff"));
  EXPECT_EQ(DecodeChunk(*codec, JoinParts(FromHex("00"), FromHex("1f8b")), 4), FromHex("ffffffff"));
}

TEST(OptionalCodec, MissingTextIsToldByItsAddress) {
  const auto codec = ResolveArrayCodec("optional", kStrings, OptionalSpec({3}, "string"));
  const Bytes there = EncodeStrings(*ResolveArrayCodec("vlen-utf8", "{}", Spec({2}, "string")), {"a", ""});
  VariableChunk chunk;
  codec->DecodeVariable(JoinParts(FromHex("06"), there), &chunk);
  ASSERT_EQ(chunk.elements.size(), 3u);
  EXPECT_EQ(chunk.elements[0].data(), kMissingText);
  EXPECT_EQ(chunk.elements[1], "a");
  EXPECT_EQ(chunk.elements[2], "");
  EXPECT_NE(chunk.elements[2].data(), kMissingText);
  codec->DecodeVariable(JoinParts(FromHex("00"), {}), &chunk);
  EXPECT_EQ(chunk.elements, (std::vector<std::string_view>{"", "", ""}));
}

TEST(OptionalCodec, CodecsOfTheMaskMayPermuteIt) {
  constexpr std::string_view kPermuted = R"({"mask_codecs": [{"name": "transpose", "configuration": {"order": [1, 0]}},
      {"name": "bytes"}], "data_codecs": [{"name": "bytes"}]})";
  const auto codec = ResolveArrayCodec("optional", kPermuted, OptionalSpec({2, 3}, "uint8"));
  EXPECT_EQ(DecodeChunk(*codec, JoinParts(FromHex("010001000001"), FromHex("010203")), 6), FromHex("0102ffffff03"));
}

TEST(OptionalCodec, OtherCodecsMayBeAroundIt) {
  const CodecSpec transpose = NamedCodec("transpose", R"({"order": [1, 0]})");
  const CodecSpec optional = NamedCodec("optional", kMaskedBytes);
  const auto pipeline = Pipeline({transpose, optional, NamedCodec("crc32c")}, OptionalSpec({2, 2}, "uint8"));
  const Bytes plain = JoinParts(FromHex("0e"), FromHex("010203"));
  Bytes encoded;
  Pipeline({NamedCodec("bytes"), NamedCodec("crc32c")}, Spec({plain.size()}, "uint8"))->Encode(plain, &encoded);
  Bytes decoded(4);
  pipeline->Decode(encoded, decoded);
  EXPECT_EQ(decoded, FromHex("ff010203"));
  EXPECT_EQ(pipeline->layout(), (Strides{1, 2}));
  EXPECT_EQ(pipeline->max_encoded_size(), encoded.size() + 1);
}

TEST(OptionalCodec, ElementsAreNotChangedBeforeIt) {
  const CodecSpec optional = NamedCodec("optional", kMaskedBytes);
  ExpectError([&] { Pipeline({NamedCodec("bytes")}, OptionalSpec({2}, "uint8")); }, ErrorKind::kUnsupported, "",
              "the codec \"optional\" first");
  ExpectError(
      [&] {
        Pipeline({NamedCodec("scale_offset", R"({"scale": 2})"), optional}, OptionalSpec({2}, "uint8"));
      },
      ErrorKind::kUnsupported, "", "the codec \"optional\" first");
  ExpectError([&] { Pipeline({optional}, Spec({2}, "uint8")); }, ErrorKind::kUnsupported, "",
              "data type \"optional\", got \"uint8\"");
}

TEST(OptionalCodec, OnlyDecodes) {
  const auto codec = ResolveArrayCodec("optional", kMaskedBytes, OptionalSpec({2}, "uint8"));
  ExpectError([&] { EncodeChunk(*codec, FromHex("0102")); }, ErrorKind::kUnsupported, "", "for reading only");
  const auto strings = ResolveArrayCodec("optional", kStrings, OptionalSpec({1}, "string"));
  ExpectError([&] { EncodeStrings(*strings, {"a"}); }, ErrorKind::kUnsupported, "", "for reading only");
}

TEST(OptionalCodec, ChecksItsConfiguration) {
  const auto make = [](std::string_view configuration) { MakeCodec(NamedCodec("optional", configuration)); };
  ExpectError([&] { make("{}"); }, ErrorKind::kCorrupt, "", "mask_codecs");
  ExpectError([&] { make(R"({"mask_codecs": ["packbits"]})"); }, ErrorKind::kCorrupt, "", "data_codecs");
  ExpectError([&] { make(R"({"mask_codecs": ["gzip"], "data_codecs": ["bytes"]})"); }, ErrorKind::kCorrupt,
              "/mask_codecs/0", "");
}

// --- damage -------------------------------------------------------------------------------------------------------

std::string DecodeMessage(const Bytes& encoded) {
  const auto codec = ResolveArrayCodec("optional", kMaskedBytes, OptionalSpec({4}, "uint8"));
  const Error error = ErrorOf([&] { DecodeChunk(*codec, encoded, 4); });
  EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
  return error.message();
}

TEST(OptionalCodec, SaysWhatIsDamaged) {
  const Bytes whole = JoinParts(FromHex("09"), FromHex("0005"));
  EXPECT_NE(DecodeMessage({}).find("at least 16 bytes"), std::string::npos);
  EXPECT_NE(DecodeMessage(Bytes(whole.begin(), whole.end() - 1)).find("got 1 and 2"), std::string::npos);
  EXPECT_NE(DecodeMessage(JoinParts(FromHex("0900"), FromHex("0005"))).find("mask: "), std::string::npos);
  EXPECT_NE(DecodeMessage(JoinParts(FromHex("0f"), FromHex("0005"))).find("elements: "), std::string::npos);
  Bytes huge = whole;
  std::fill(huge.begin(), huge.begin() + 16, std::byte{0xFF});
  EXPECT_NE(DecodeMessage(huge).find("a mask and elements of 3 bytes"), std::string::npos);
}

TEST(OptionalCodec, NoChangeOrLengthCrashes) {
  const auto codec = ResolveArrayCodec("optional", kNested, Spec({2, 2}, kTwiceUint8));
  const Bytes whole = JoinParts(FromHex("0b"), JoinParts(FromHex("03"), FromHex("0307")));
  const auto decode = [&](const Bytes& encoded) {
    try {
      DecodeChunk(*codec, encoded, 4);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
    }
  };
  for (std::size_t i = 0; i < whole.size(); ++i) {
    decode(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(i)));
    for (const unsigned change : {0x01u, 0x08u, 0x80u, 0xFFu}) {
      Bytes damaged = whole;
      damaged[i] ^= static_cast<std::byte>(change);
      decode(damaged);
    }
  }
}

}  // namespace
}  // namespace zarr
