// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/zstd_codec.h"

#include "autotest/cpp/support/codec_test_util.h"

namespace zarr::codec_test {
namespace {

struct ZstdCodec : RequiresCodec {
  ZstdCodec() : RequiresCodec("zstd") {}
};

// Written by zarr-python 3.4.1 (numcodecs 0.17): a chunk of 7 x 5 at the corner of a 9 x 9 array.
constexpr std::string_view kZstdOfZarrPython =
    "28b52ffd208c2d0200d4036e08008093080080b8080080dd08008002090080bb090080e0090080050a00802a0a00804f0a0080080b0080"
    "2d0b0080520b0080770b00809c0b0080000100cd288002";
// Written by the command line tool 1.5.4: from a pipe (no content size, a checksum), and from a file without a
// checksum.
constexpr std::string_view kWithoutSize = "28b52ffd0458850000486368756e6b20656e64010097a91401671fa12a";
constexpr std::string_view kWithSize = "28b52ffd2063850000486368756e6b20656e64010097a91401";
constexpr std::string_view kSkippable = "502a4d1803000000616263";

TEST_F(ZstdCodec, DecodesWhatZarrPythonWrote) {
  const Bytes expected = Concat(Ramp(9, 6, 4, 3, 5), Zeros(4 * 5 * 4));
  ExpectDecodes(*Make("zstd", R"({"level": 0, "checksum": false})"), FromHex(kZstdOfZarrPython), expected);
}

TEST_F(ZstdCodec, DecodesFramesWithAndWithoutContentSize) {
  ExpectDecodes(*Make("zstd"), FromHex(kWithoutSize), ChunkText());
  ExpectDecodes(*Make("zstd"), FromHex(kWithSize), ChunkText());
}

TEST_F(ZstdCodec, DecodesSeveralFramesAndSkipsSkippableOnes) {
  const Bytes encoded = Concat(Concat(FromHex(kWithoutSize), FromHex(kSkippable)), FromHex(kWithSize));
  ExpectDecodes(*Make("zstd"), encoded, Concat(ChunkText(), ChunkText()));
}

TEST_F(ZstdCodec, ClaimsTheSumOfItsFramesIfAllAreKnown) {
  const auto codec = Make("zstd");
  EXPECT_EQ(codec->GetClaimedSize(FromHex(kWithSize)), 99u);
  EXPECT_EQ(codec->GetClaimedSize(Concat(Concat(FromHex(kWithSize), FromHex(kSkippable)), FromHex(kWithSize))), 198u);
  EXPECT_EQ(codec->GetClaimedSize(Concat(FromHex(kWithSize), FromHex(kWithoutSize))), std::nullopt);
  EXPECT_EQ(codec->GetClaimedSize(ToBytes("rubbish")), std::nullopt);
}

TEST_F(ZstdCodec, RoundTripsAtEveryKindOfLevel) {
  for (const char* configuration :
       {"{}", R"({"level": -5})", R"({"level": -131072})", R"({"level": 1, "checksum": true})", R"({"level": 22})"}) {
    ExpectRoundTrips(*Make("zstd", configuration));
  }
}

TEST_F(ZstdCodec, WritesAChecksumWhereAsked) {
  Bytes with, without;
  Make("zstd", R"({"level": 1, "checksum": true})")->Encode(Pattern(100), 1, &with);
  Make("zstd", R"({"level": 1, "checksum": false})")->Encode(Pattern(100), 1, &without);
  EXPECT_EQ(with.size(), without.size() + 4);
  const auto encode = [](const char* word) {
    Bytes encoded;
    const std::string configuration = std::string(R"({"level": 1, "checksum": ")") + word + "\"}";
    Make("numcodecs.zstd", configuration.c_str())->Encode(Pattern(100), 1, &encoded);
    return encoded;
  };
  for (const char* word : {"YES", "yes", "TRUE", "ON", "1"}) EXPECT_EQ(encode(word), with) << word;
  for (const char* word : {"NO", "no", "FALSE", "off", "0"}) EXPECT_EQ(encode(word), without) << word;
}

TEST_F(ZstdCodec, NoticesTruncation) {
  ExpectTruncationsFail(*Make("zstd"), FromHex(kWithoutSize), 99);
  ExpectTruncationsFail(*Make("zstd"), FromHex(kZstdOfZarrPython), 140);
}

TEST_F(ZstdCodec, NoticesCorruptionWhereThereIsAChecksum) {
  EXPECT_EQ(CountSilentCorruptions(*Make("zstd"), FromHex(kWithoutSize), ChunkText()), 0);
}

TEST_F(ZstdCodec, SurvivesCorruptionWithoutAChecksum) {
  EXPECT_GT(CountSilentCorruptions(*Make("zstd"), FromHex(kWithSize), ChunkText()), 0);
}

TEST_F(ZstdCodec, RefusesBytesBehindTheLastFrame) {
  EXPECT_EQ(DecodeErrorKind(*Make("zstd"), Concat(FromHex(kWithSize), ToBytes("rubbish")), 1000), ErrorKind::kCorrupt);
}

TEST_F(ZstdCodec, StopsABombAtTheBuffer) {
  Bytes encoded;
  Make("zstd")->Encode(Zeros(100'000'000), 1, &encoded);
  EXPECT_LT(encoded.size(), 20'000u);
  EXPECT_EQ(Decode(*Make("zstd"), encoded, 400), std::nullopt);
}

TEST_F(ZstdCodec, ChecksItsConfiguration) {
  ExpectWrong("zstd", R"({"level": 23})", "/level");
  ExpectWrong("zstd", R"({"level": -131073})", "/level");
  ExpectWrong("zstd", R"({"level": 1.5})", "/level");
  ExpectWrong("zstd", R"({"level": 1, "checksum": 1})", "/checksum");
  ExpectWrong("numcodecs.zstd", R"({"checksum": "PERHAPS"})", "/checksum");
  ExpectWrong("zstd", "[]", "");
}

}  // namespace
}  // namespace zarr::codec_test
