// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/lzma_codec.h"

#include "autotest/cpp/support/codec_test_util.h"
#include "autotest/cpp/support/limit_test_util.h"

namespace zarr::codec_test {
namespace {

struct LzmaCodec : RequiresCodec {
  LzmaCodec() : RequiresCodec("numcodecs.lzma") {}
};

// Written by Python's lzma module.
constexpr std::string_view kXz =
    "fd377a585a000004e6d6b4460200210116000000742fe5a3e0006200105d00319a0b119f1801d28b239307387354000087a4"
    "c278d86526a400012c6367ee0ccd1fb6f37d010000000004595a";
constexpr std::string_view kXzSha256 =
    "fd377a585a00000ae1fb0ca10200210116000000742fe5a3e0006200105d00319a0b119f1801d28b2393073873540000a7b1"
    "0c2e2f17d00029d386d20d3589c763abb1c774042a22fab53912b56e024900014463c80f2860189b4b9a01000000000a595a";
constexpr std::string_view kAlone = "5d00008000ffffffffffffffff00319a0b119f1801d28b2393075c524bffffefa60000";
constexpr std::string_view kRawLzma1 = "00319a0b119f1801d28b2393075c524bffffefa60000";
constexpr std::string_view kRawLzma1Configuration =
    R"({"format": 3, "filters": [{"id": 4611686018427387905, "preset": 3, "dict_size": 4096}]})";
// Written by zarr-python 1.0.0: a chunk of 20 x 15 of an array that is 30 wide.
constexpr std::string_view kZarrPythonRaw =
    "e004af00345d0005fffc0d54f0ac98fc58dd7c74b550b62dfcc87b27315fc59e7aa596335092b88bbc10f8e912eeadc958d8b3df0226e8"
    "c66fd30000";
constexpr std::string_view kZarrPythonRawConfiguration =
    R"({"check": 0, "filters": [{"dist": 4, "id": 3}, {"id": 33, "preset": 1}], "format": 3, "preset": null})";

TEST_F(LzmaCodec, DecodesXzFromPython) {
  ExpectDecodes(*Make("numcodecs.lzma", R"({"format": 1, "check": -1, "preset": null, "filters": null})"), FromHex(kXz),
                ChunkText());
  ExpectDecodes(*Make("lzma"), FromHex(kXzSha256), ChunkText());
}

TEST_F(LzmaCodec, DecodesTheAloneFormatFromPython) {
  ExpectDecodes(*Make("lzma", R"({"format": 2})"), FromHex(kAlone), ChunkText());
}

TEST_F(LzmaCodec, DecodesRawStreamsByTheirFilters) {
  ExpectDecodes(*Make("lzma", kRawLzma1Configuration), FromHex(kRawLzma1), ChunkText());
  ExpectDecodes(*Make("numcodecs.lzma", kZarrPythonRawConfiguration), FromHex(kZarrPythonRaw), Ramp(30, 0, 0, 20, 15));
}

TEST_F(LzmaCodec, DecodesSeveralXzStreams) {
  ExpectDecodes(*Make("lzma"), Concat(FromHex(kXz), FromHex(kXzSha256)), Concat(ChunkText(), ChunkText()));
}

TEST_F(LzmaCodec, RefusesBytesBehindTheEnd) {
  EXPECT_EQ(DecodeErrorKind(*Make("lzma"), Concat(FromHex(kXz), ToBytes("more")), 1000), ErrorKind::kCorrupt);
  EXPECT_EQ(DecodeErrorKind(*Make("lzma", R"({"format": 2})"), Concat(FromHex(kAlone), ToBytes("more")), 1000),
            ErrorKind::kCorrupt);
}

TEST_F(LzmaCodec, RoundTripsInEveryFormat) {
  ExpectRoundTrips(*Make("lzma", R"({"preset": 1, "check": 10})"));
  ExpectRoundTrips(
      *Make("lzma", R"({"preset": 1, "check": 0, "filters": [{"id": 3, "dist": 4}, {"id": 33, "preset": 0}]})"));
  ExpectRoundTrips(*Make("lzma", R"({"format": 2, "preset": 1})"));
  ExpectRoundTrips(*Make("lzma", kRawLzma1Configuration));
  ExpectRoundTrips(
      *Make("lzma", R"({"format": 3, "filters": [{"id": 4}, {"id": 33, "preset": 1, "lc": 0, "lp": 2}]})"));
}

TEST_F(LzmaCodec, TakesAnExtremePreset) {
  ExpectRoundTrip(*Make("lzma", R"({"preset": 2147483648})"), Pattern(100), 1);
}

TEST_F(LzmaCodec, DecodesWithOptionsThatItCannotEncodeWith) {
  const auto codec = Make("lzma", R"({"filters": [{"id": 33, "lc": 5}]})");
  ExpectDecodes(*codec, FromHex(kXz), ChunkText());
  Bytes encoded;
  EXPECT_THROW(codec->Encode(ChunkText(), 1, &encoded), Error);
}

TEST_F(LzmaCodec, NoticesTruncation) {
  ExpectTruncationsFail(*Make("lzma"), FromHex(kXz), 99);
  ExpectTruncationsFail(*Make("lzma", R"({"format": 2})"), FromHex(kAlone), 99);
  ExpectTruncationsFail(*Make("lzma", kRawLzma1Configuration), FromHex(kRawLzma1), 99);
  ExpectTruncationsFail(*Make("lzma", kZarrPythonRawConfiguration), FromHex(kZarrPythonRaw), 1200);
}

TEST_F(LzmaCodec, NoticesCorruptionWhereThereIsACheck) {
  EXPECT_EQ(CountSilentCorruptions(*Make("lzma"), FromHex(kXz), ChunkText()), 0);
  EXPECT_EQ(CountSilentCorruptions(*Make("lzma"), FromHex(kXzSha256), ChunkText()), 0);
}

TEST_F(LzmaCodec, SurvivesCorruptionWithoutACheck) {
  EXPECT_GT(CountSilentCorruptions(*Make("lzma", R"({"format": 2})"), FromHex(kAlone), ChunkText()), 0);
  EXPECT_GT(CountSilentCorruptions(*Make("lzma", kRawLzma1Configuration), FromHex(kRawLzma1), ChunkText()), 0);
}

TEST_F(LzmaCodec, RefusesADictionaryBeyondItsMemoryLimit) {
  Bytes encoded = FromHex(kAlone);
  WriteLittleEndian<std::uint32_t>(encoded.data() + 1, 0x40000000);
  EXPECT_EQ(DecodeErrorKind(*Make("lzma", R"({"format": 2})"), encoded, 99), ErrorKind::kLimitExceeded);
  const auto raw = Make("lzma", R"({"format": 3, "filters": [{"id": 33, "dict_size": 1073741824}]})");
  EXPECT_EQ(DecodeErrorKind(*raw, FromHex(kRawLzma1), 99), ErrorKind::kLimitExceeded);
}

TEST_F(LzmaCodec, TakesNoMoreMemoryThanItsLimit) {
  const auto expect_need = [](const BytesToBytesCodec& codec, std::string_view encoded) {
    const Bytes bytes = FromHex(encoded);
    const auto decode = [&] {
      Bytes out(ChunkText().size());
      codec.Decode(bytes, out);
    };
    const std::uint64_t need = test::FindNeed(Limit::kLzmaMemory, GetLimit(Limit::kLzmaMemory), decode);
    EXPECT_GT(need, 1000U);
    test::ExpectNeed(Limit::kLzmaMemory, need, decode);
  };
  expect_need(*Make("lzma"), kXz);
  expect_need(*Make("lzma", R"({"format": 2})"), kAlone);
  expect_need(*Make("lzma", kRawLzma1Configuration), kRawLzma1);
}

TEST_F(LzmaCodec, ChecksItsConfiguration) {
  ExpectWrong("lzma", R"({"format": 0})", "/format");
  ExpectWrong("lzma", R"({"format": 4})", "/format");
  ExpectWrong("lzma", R"({"check": 7})", "/check");
  ExpectWrong("lzma", R"({"preset": 10})", "/preset");
  ExpectWrong("lzma", R"({"preset": -1})", "/preset");
  ExpectWrong("lzma", R"({"format": 3})", "");
  ExpectWrong("lzma", R"({"format": 2, "filters": [{"id": 33}]})", "/filters");
}

TEST_F(LzmaCodec, ChecksItsFilters) {
  ExpectWrong("lzma", R"({"filters": []})", "/filters");
  ExpectWrong("lzma", R"({"filters": {"id": 33}})", "/filters");
  ExpectWrong("lzma", R"({"filters": [{"id": 99}]})", "/filters/0/id");
  ExpectWrong("lzma", R"({"filters": [{"dist": 1}]})", "/filters/0");
  ExpectWrong("lzma", R"({"filters": [{"id": 33}, {"id": 3}]})", "/filters");
  ExpectWrong("lzma", R"({"filters": [{"id": 3, "dist": 257}, {"id": 33}]})", "/filters");
  ExpectWrong("lzma", R"({"filters": [{"id": 4611686018427387905, "lc": 5}]})", "/filters");
  ExpectWrong("lzma", R"({"filters": [{"id": 33, "dict_size": -1}]})", "/filters/0/dict_size");
  ExpectWrong("lzma", R"({"filters": [{"id": 33, "preset": 12}]})", "/filters/0");
  ExpectWrong("lzma", R"({"filters": [{"id": 3}, {"id": 3}, {"id": 3}, {"id": 3}, {"id": 33}]})", "/filters");
}

}  // namespace
}  // namespace zarr::codec_test
