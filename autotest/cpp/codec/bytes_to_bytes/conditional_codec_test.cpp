// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/conditional_codec.h"

#include "autotest/cpp/support/array_codec_test_util.h"
#include "autotest/cpp/support/codec_test_util.h"

namespace zarr::codec_test {
namespace {

using test::HexOf;

constexpr std::string_view kCrc = R"({"name": "crc32c"})";
constexpr std::string_view kShuffle = R"({"name": "numcodecs.shuffle", "configuration": {"elementsize": 4}})";
constexpr std::string_view kAdler = R"({"name": "numcodecs.adler32"})";

std::string Configuration(const std::vector<std::string_view>& codecs, std::string_view rest = "") {
  std::string list;
  for (const std::string_view codec : codecs) list += (list.empty() ? "" : ", ") + std::string(codec);
  return "{\"codecs\": [" + list + "]" + std::string(rest) + "}";
}

CodecPointer Conditional(const std::vector<std::string_view>& codecs, std::string_view rest = "") {
  return Make("conditional", Configuration(codecs, rest));
}

TEST(ConditionalCodec, BitsSayWhichCodecsWereApplied) {
  const auto codec = Conditional({kShuffle, kCrc});
  const Bytes plain = FromHex("0102030405060708");
  const Bytes shuffled = FromHex("0105020603070408");
  Bytes with_checksum;
  Make("crc32c")->Encode(plain, 1, &with_checksum);
  Bytes both;
  Make("crc32c")->Encode(shuffled, 1, &both);
  ExpectDecodes(*codec, Concat(FromHex("00"), plain), plain);
  ExpectDecodes(*codec, Concat(FromHex("01"), shuffled), plain);
  ExpectDecodes(*codec, Concat(FromHex("02"), with_checksum), plain);
  ExpectDecodes(*codec, Concat(FromHex("03"), both), plain);
}

TEST(ConditionalCodec, TheNinthCodecHasTheFirstBitOfTheSecondByte) {
  const auto codec = Conditional(std::vector<std::string_view>(9, kAdler));
  Bytes encoded;
  Make("numcodecs.adler32")->Encode(ToBytes("abc"), 1, &encoded);
  ExpectDecodes(*codec, Concat(FromHex("0001"), encoded), ToBytes("abc"));
}

TEST(ConditionalCodec, TheHeaderMayHaveRoomForMore) {
  const auto codec = Conditional({kCrc}, R"(, "header_bits": 32)");
  ExpectDecodes(*codec, Concat(FromHex("00000000"), ToBytes("abc")), ToBytes("abc"));
  Bytes encoded;
  codec->Encode(Pattern(10), 1, &encoded);
  EXPECT_EQ(encoded.size(), 14u);
}

TEST(ConditionalCodec, NoCodecsNeedNoHeader) {
  const auto codec = Conditional({});
  const SizeBound bound = codec->GetEncodedSize({100, true});
  EXPECT_EQ(bound.bytes, 100u);
  EXPECT_TRUE(bound.exact);
  ExpectRoundTrip(*codec, Pattern(100), 1);
}

TEST(ConditionalCodec, BytesThatNothingWasDoneToAreNotCopied) {
  const auto codec = Conditional({kCrc});
  const Bytes encoded = FromHex("00aabb");
  const auto view = codec->DecodeView(encoded);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->data(), encoded.data() + 1);
  EXPECT_EQ(HexOf(*view), "aa bb");
  EXPECT_EQ(codec->DecodeView(FromHex("01aabb")), std::nullopt);
}

TEST(ConditionalCodec, RefusesBitsWithoutACodec) {
  for (const char* hex : {"02", "80", "ff", "0001", "000080"}) {
    const Bytes header = FromHex(hex);
    const std::string bits = ", \"header_bits\": " + std::to_string(8 * header.size());
    const auto codec = Conditional({kShuffle}, bits);
    EXPECT_EQ(DecodeErrorKind(*codec, Concat(header, FromHex("01020304")), 4), ErrorKind::kCorrupt) << hex;
  }
}

TEST(ConditionalCodec, RefusesBytesWithoutAHeader) {
  const auto codec = Conditional({kCrc}, R"(, "header_bits": 16)");
  EXPECT_EQ(DecodeErrorKind(*codec, {}, 4), ErrorKind::kCorrupt);
  EXPECT_EQ(DecodeErrorKind(*codec, FromHex("00"), 4), ErrorKind::kCorrupt);
}

TEST(ConditionalCodec, ErrorsOfItsCodecsAreErrors) {
  EXPECT_EQ(DecodeErrorKind(*Conditional({kCrc}), FromHex("0100000000ff"), 4), ErrorKind::kCorrupt);
}

TEST(ConditionalCodec, ChecksItsConfiguration) {
  ExpectWrong("conditional", Configuration({kCrc}, R"(, "header_bits": 12)"), "/header_bits");
  ExpectWrong("conditional", Configuration({kCrc}, R"(, "header_bits": 0)"), "/header_bits");
  ExpectWrong("conditional", Configuration(std::vector<std::string_view>(9, kCrc), R"(, "header_bits": 8)"),
              "/header_bits");
  ExpectWrong("conditional", Configuration({kCrc}, R"(, "header_bits": 1000000000000)"), "/header_bits");
  ExpectWrong("conditional", "{}", "");
  EXPECT_EQ(MakeError("conditional", Configuration({R"({"name": "bytes"})"})).message(),
            "expected a bytes-to-bytes codec, got bytes");
}

class ConditionalZstd : public RequiresCodec {
 protected:
  ConditionalZstd() : RequiresCodec("zstd") {}
};

TEST_F(ConditionalZstd, CompressesWhatGetsSmaller) {
  const auto codec = Conditional({kShuffle, R"({"name": "zstd", "configuration": {"level": 1}})"});
  Bytes encoded;
  codec->Encode(Zeros(1000), 4, &encoded);
  EXPECT_EQ(encoded.front(), std::byte{3});
  EXPECT_LT(encoded.size(), 100u);
  codec->Encode(Noise(1000), 4, &encoded);
  EXPECT_EQ(encoded.front(), std::byte{0});
  EXPECT_EQ(encoded.size(), 1001u);
  ExpectRoundTrips(*codec);
}

TEST_F(ConditionalZstd, NoTruncationGoesUnnoticed) {
  const auto codec = Conditional({R"({"name": "zstd"})", kShuffle, R"({"name": "zstd"})", kCrc});
  Bytes encoded;
  codec->Encode(Zeros(2000), 4, &encoded);
  ASSERT_EQ(encoded.front(), std::byte{0x0F});
  ExpectDecodes(*codec, encoded, Zeros(2000));
  ExpectTruncationsFail(*codec, encoded, 2000);
}

/// The bound for each compressor is a little more than the bound for the one before it.
TEST_F(ConditionalZstd, ManyCompressorsTakeMemoryForWhatThereIs) {
  const auto codec = Conditional(std::vector<std::string_view>(60, R"({"name": "zstd"})"));
  EXPECT_LT(codec->GetEncodedSize({100, true}).bytes, std::uint64_t{1} << 24);
  Bytes encoded = Pattern(100);
  for (int i = 0; i < 60; ++i) Make("zstd")->Encode(Bytes(encoded), 1, &encoded);
  ExpectDecodes(*codec, Concat(FromHex("ffffffffffffff0f"), encoded), Pattern(100));
}

}  // namespace
}  // namespace zarr::codec_test
