// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/bz2_codec.h"

#include "autotest/cpp/support/codec_test_util.h"

namespace zarr::codec_test {
namespace {

struct Bz2Codec : RequiresCodec {
  Bz2Codec() : RequiresCodec("numcodecs.bz2") {}
};

// Written by Python's bz2 module.
constexpr std::string_view kBz2 =
    "425a68313141592653594be865b5000008118040000e4902002000310c080a94d326981da927b961419a1a1f177245385090"
    "4be865b5";

TEST_F(Bz2Codec, DecodesWhatPythonWrote) {
  ExpectDecodes(*Make("numcodecs.bz2", R"({"id": "bz2", "level": 1})"), FromHex(kBz2), ChunkText());
}

TEST_F(Bz2Codec, DecodesSeveralStreams) {
  ExpectDecodes(*Make("bz2"), Concat(FromHex(kBz2), FromHex(kBz2)), Concat(ChunkText(), ChunkText()));
}

TEST_F(Bz2Codec, IgnoresZerosBehindTheEnd) {
  ExpectDecodes(*Make("bz2"), Concat(FromHex(kBz2), Zeros(5)), ChunkText());
}

TEST_F(Bz2Codec, RefusesOtherBytesBehindTheEnd) {
  EXPECT_EQ(DecodeErrorKind(*Make("bz2"), Concat(FromHex(kBz2), ToBytes("more")), 1000), ErrorKind::kCorrupt);
}

TEST_F(Bz2Codec, RoundTripsAtEveryLevel) {
  for (const char* level : {"1", "9"}) ExpectRoundTrips(*Make("bz2", R"({"level": )" + std::string(level) + "}"));
}

TEST_F(Bz2Codec, RoundTripsSeveralBlocks) {
  ExpectRoundTrip(*Make("bz2", R"({"level": 1})"), Pattern(350'000), 1);
}

TEST_F(Bz2Codec, NoticesTruncation) {
  ExpectTruncationsFail(*Make("bz2"), FromHex(kBz2), 99);
}

TEST_F(Bz2Codec, NoticesCorruption) {
  EXPECT_EQ(CountSilentCorruptions(*Make("bz2"), FromHex(kBz2), ChunkText()), 0);
}

TEST_F(Bz2Codec, StopsABombAtTheBuffer) {
  Bytes encoded;
  Make("bz2", R"({"level": 9})")->Encode(Zeros(20'000'000), 1, &encoded);
  EXPECT_LT(encoded.size(), 1000u);
  EXPECT_EQ(Decode(*Make("bz2"), encoded, 400), std::nullopt);
}

TEST_F(Bz2Codec, ChecksTheLevel) {
  ExpectWrong("numcodecs.bz2", R"({"level": 0})", "/level");
  ExpectWrong("numcodecs.bz2", R"({"level": 10})", "/level");
}

}  // namespace
}  // namespace zarr::codec_test
