// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/deflate_codec.h"

#include "autotest/cpp/support/codec_test_util.h"

namespace zarr::codec_test {
namespace {

struct GzipCodec : RequiresCodec {
  GzipCodec() : RequiresCodec("gzip") {}
};

struct ZlibCodec : RequiresCodec {
  ZlibCodec() : RequiresCodec("numcodecs.zlib") {}
};

// Written by Python's zlib and gzip modules.
constexpr std::string_view kZlibText = "789c4bce28cdcb5648a619999a970200351b24c8";
constexpr std::string_view kZlibLevel0 =
    "78010163009cff6368756e6b206368756e6b206368756e6b206368756e6b206368756e6b206368756e6b206368756e6b2063"
    "68756e6b206368756e6b206368756e6b206368756e6b206368756e6b206368756e6b206368756e6b206368756e6b20636875"
    "6e6b20656e64351b24c8";
constexpr std::string_view kGzip = "1f8b08000000000002034bce28cdcb5648a619999a970200724c7feb63000000";
constexpr std::string_view kGzipWithName =
    "1f8b080800ca9a3b00ff6e616d652e62696e004bce28cdcb5648a619999a970200724c7feb63000000";

TEST_F(GzipCodec, DecodesWhatPythonWrote) {
  ExpectDecodes(*Make("gzip", R"({"level": 5})"), FromHex(kGzip), ChunkText());
  ExpectDecodes(*Make("numcodecs.gzip"), FromHex(kGzipWithName), ChunkText());
}

TEST_F(GzipCodec, DecodesSeveralMembers) {
  const Bytes encoded = Concat(FromHex(kGzip), FromHex(kGzipWithName));
  ExpectDecodes(*Make("gzip"), encoded, Concat(ChunkText(), ChunkText()));
}

TEST_F(GzipCodec, IgnoresZerosBehindTheEnd) {
  ExpectDecodes(*Make("gzip"), Concat(FromHex(kGzip), Zeros(8)), ChunkText());
}

TEST_F(GzipCodec, RefusesOtherBytesBehindTheEnd) {
  const Bytes encoded = Concat(FromHex(kGzip), FromHex("000078"));
  EXPECT_EQ(DecodeErrorKind(*Make("gzip"), encoded, 1000), ErrorKind::kCorrupt);
}

TEST_F(GzipCodec, TakesNoZlibStream) {
  EXPECT_EQ(DecodeErrorKind(*Make("gzip"), FromHex(kZlibText), 1000), ErrorKind::kCorrupt);
}

TEST_F(GzipCodec, RoundTripsAtEveryLevel) {
  for (const char* level : {"0", "1", "5", "9"}) {
    ExpectRoundTrips(*Make("gzip", R"({"level": )" + std::string(level) + "}"));
  }
}

TEST_F(GzipCodec, NoticesTruncation) {
  ExpectTruncationsFail(*Make("gzip"), FromHex(kGzipWithName), 99);
}

TEST_F(GzipCodec, NoticesCorruption) {
  EXPECT_EQ(CountSilentCorruptions(*Make("gzip"), FromHex(kGzipWithName), ChunkText()), 0);
}

TEST_F(GzipCodec, StopsABombAtTheBuffer) {
  Bytes encoded;
  Make("gzip", R"({"level": 9})")->Encode(Zeros(50'000'000), 1, &encoded);
  EXPECT_LT(encoded.size(), 100'000u);
  EXPECT_EQ(Decode(*Make("gzip"), encoded, 400), std::nullopt);
}

TEST_F(GzipCodec, ChecksTheLevel) {
  ExpectWrong("gzip", R"({"level": 99})", "/level");
  ExpectWrong("gzip", R"({"level": -1})", "/level");
  ExpectWrong("gzip", R"({"level": "high"})", "/level");
  ExpectWrong("numcodecs.gzip", R"({"id": "gzip", "level": -2})", "/level");
}

TEST_F(GzipCodec, HigherLevelsCompressMore) {
  Bytes stored, fast, best;
  Make("gzip", R"({"level": 0})")->Encode(Pattern(70000), 1, &stored);
  Make("gzip", R"({"level": 1})")->Encode(Pattern(70000), 1, &fast);
  Make("gzip", R"({"level": 9})")->Encode(Pattern(70000), 1, &best);
  EXPECT_GT(stored.size(), fast.size());
  EXPECT_GT(fast.size(), best.size());
}

TEST_F(ZlibCodec, DecodesWhatPythonWrote) {
  ExpectDecodes(*Make("numcodecs.zlib", R"({"id": "zlib", "level": 1})"), FromHex(kZlibText), ChunkText());
  ExpectDecodes(*Make("zlib"), FromHex(kZlibLevel0), ChunkText());
}

TEST_F(ZlibCodec, IgnoresZerosBehindTheEnd) {
  ExpectDecodes(*Make("numcodecs.zlib"), Concat(FromHex(kZlibText), Zeros(3)), ChunkText());
}

TEST_F(ZlibCodec, RefusesOtherBytesBehindTheEnd) {
  EXPECT_EQ(DecodeErrorKind(*Make("numcodecs.zlib"), Concat(FromHex(kZlibText), FromHex(kZlibText)), 1000),
            ErrorKind::kCorrupt);
}

TEST_F(ZlibCodec, RoundTripsAtEveryLevel) {
  for (const char* level : {"-1", "0", "1", "9"}) {
    ExpectRoundTrips(*Make("numcodecs.zlib", R"({"level": )" + std::string(level) + "}"));
  }
}

TEST_F(ZlibCodec, NoticesTruncation) {
  ExpectTruncationsFail(*Make("zlib"), FromHex(kZlibText), 99);
}

TEST_F(ZlibCodec, NoticesCorruption) {
  EXPECT_EQ(CountSilentCorruptions(*Make("zlib"), FromHex(kZlibText), ChunkText()), 0);
}

}  // namespace
}  // namespace zarr::codec_test
