// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/lz4_codec.h"

#include "autotest/cpp/support/codec_test_util.h"

namespace zarr::codec_test {
namespace {

struct Lz4Codec : RequiresCodec {
  Lz4Codec() : RequiresCodec("numcodecs.lz4") {}
};

// Written by zarr-python 3.4.1 (numcodecs 0.17): the first 10 x 6 chunk of an array that is 17 wide.
constexpr std::string_view kLz4OfZarrPython =
    "f0000000f0e10c00008031000080560000807b000080a0000080c500008081020080a6020080cb020080f0020080150300803a030080f6"
    "0400801b05008040050080650500808a050080af0500806b07008090070080b5070080da070080ff07008024080080e0090080050a0080"
    "2a0a00804f0a0080740a0080990a0080550c00807a0c00809f0c0080c40c0080e90c00800e0d0080ca0e0080ef0e0080140f0080390f00"
    "805e0f0080830f00803f1100806411008089110080ae110080d3110080f8110080b4130080d9130080fe13008023140080481400806d14"
    "0080291600804e1600807316008098160080bd160080e2160080";

TEST_F(Lz4Codec, DecodesWhatZarrPythonWrote) {
  const Bytes encoded = FromHex(kLz4OfZarrPython);
  ExpectDecodes(*Make("numcodecs.lz4"), encoded, Ramp(17, 0, 0, 10, 6));
  EXPECT_EQ(Make("lz4")->GetClaimedSize(encoded), 240u);
}

TEST_F(Lz4Codec, RoundTripsAtEveryAcceleration) {
  for (const char* acceleration : {"1", "100", "0", "-3"}) {
    ExpectRoundTrips(*Make("numcodecs.lz4", R"({"acceleration": )" + std::string(acceleration) + "}"));
  }
}

TEST_F(Lz4Codec, NoticesTruncation) {
  ExpectTruncationsFail(*Make("lz4"), FromHex(kLz4OfZarrPython), 240);
  Bytes encoded;
  Make("lz4")->Encode(ChunkText(), 1, &encoded);
  ExpectTruncationsFail(*Make("lz4"), encoded, ChunkText().size());
}

TEST_F(Lz4Codec, SurvivesCorruption) {
  Bytes encoded;
  Make("lz4")->Encode(ChunkText(), 1, &encoded);
  EXPECT_GT(CountSilentCorruptions(*Make("lz4"), encoded, ChunkText()), 0);  // there is no checksum
}

TEST_F(Lz4Codec, RefusesASizeThatTheBlockDoesNotHave) {
  const auto codec = Make("lz4");
  Bytes encoded;
  codec->Encode(ChunkText(), 1, &encoded);
  WriteLittleEndian<std::uint32_t>(encoded.data(), 98);
  EXPECT_EQ(DecodeErrorKind(*codec, encoded, 1000), ErrorKind::kCorrupt);
  WriteLittleEndian<std::uint32_t>(encoded.data(), 100);
  EXPECT_EQ(DecodeErrorKind(*codec, encoded, 1000), ErrorKind::kCorrupt);
}

TEST_F(Lz4Codec, IsNotMisledByAHugeSize) {
  Bytes encoded = FromHex(kLz4OfZarrPython);
  WriteLittleEndian<std::uint32_t>(encoded.data(), 0x7FFFFFFF);
  EXPECT_EQ(DecodeErrorKind(*Make("lz4"), encoded, 240), ErrorKind::kCorrupt);
  WriteLittleEndian<std::uint32_t>(encoded.data(), 0x7E000000);
  EXPECT_EQ(DecodeErrorKind(*Make("lz4"), encoded, 240),
            ErrorKind::kCorrupt);  // no such block decodes to so many bytes
  WriteLittleEndian<std::uint32_t>(encoded.data(), 20000);
  EXPECT_EQ(Decode(*Make("lz4"), encoded, 240), std::nullopt);
}

TEST_F(Lz4Codec, ChecksItsConfiguration) {
  ExpectWrong("numcodecs.lz4", R"({"acceleration": 4294967296})", "/acceleration");
  ExpectWrong("numcodecs.lz4", R"({"acceleration": true})", "/acceleration");
}

}  // namespace
}  // namespace zarr::codec_test
