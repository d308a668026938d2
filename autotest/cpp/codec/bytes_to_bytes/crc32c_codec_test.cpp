// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/crc32c_codec.h"

#include "autotest/cpp/support/codec_test_util.h"

namespace zarr::codec_test {
namespace {

TEST(ComputeCrc32c, HasTheValuesOfItsSpecification) {  // RFC 3720, appendix B.4
  Bytes rising(32);
  for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = static_cast<std::byte>(i);
  EXPECT_EQ(ComputeCrc32c(Zeros(32)), 0x8A9136AAu);
  EXPECT_EQ(ComputeCrc32c(Bytes(32, std::byte{0xFF})), 0x62A8AB43u);
  EXPECT_EQ(ComputeCrc32c(rising), 0x46DD794Eu);
  EXPECT_EQ(ComputeCrc32c({}), 0u);
}

TEST(ComputeCrc32c, IsTheSameByTableAndByInstruction) {
  const Bytes noise = Noise(1100);
  for (std::size_t start = 0; start < 9; ++start) {
    for (std::size_t size : {0, 1, 7, 8, 9, 63, 64, 65, 1000}) {
      const ByteSpan part = ByteSpan(noise).subspan(start, size);
      EXPECT_EQ(ComputeCrc32c(part), ComputeCrc32cByTable(part)) << start << "+" << size;
    }
  }
}

TEST(Crc32cCodec, DecodesWhatZarrPythonWrote) {
  // The last bytes of a chunk by zarr-python 3.4.1; the checksum covers all 240 bytes.
  const Bytes encoded = Concat(Ramp(17, 0, 0, 10, 6), FromHex("5de74e12"));
  ExpectDecodes(*Make("crc32c"), encoded, Ramp(17, 0, 0, 10, 6));
  ExpectDecodes(*Make("numcodecs.crc32c"), encoded, Ramp(17, 0, 0, 10, 6));
}

TEST(Crc32cCodec, ViewsTheBytesInPlace) {
  const Bytes encoded = Concat(Ramp(17, 0, 0, 10, 6), FromHex("5de74e12"));
  const auto view = Make("crc32c")->DecodeView(encoded);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->data(), encoded.data());
  EXPECT_EQ(view->size(), 240u);
}

TEST(Crc32cCodec, RoundTripsAtBothEnds) {
  ExpectRoundTrips(*Make("crc32c"));
  ExpectRoundTrips(*Make("numcodecs.crc32c", R"({"location": "end"})"));
  ExpectRoundTrips(*Make("numcodecs.crc32c", R"({"location": "start"})"));
}

TEST(Crc32cCodec, PutsTheChecksumWhereItIsTold) {
  Bytes at_start, at_end;
  Make("numcodecs.crc32c", R"({"location": "start"})")->Encode(ToBytes("abc"), 1, &at_start);
  Make("crc32c")->Encode(ToBytes("abc"), 1, &at_end);
  EXPECT_EQ(AsText(at_start).substr(4), "abc");
  EXPECT_EQ(AsText(at_end).substr(0, 3), "abc");
}

TEST(Crc32cCodec, KnowsItsSizeExactly) {
  const auto codec = Make("crc32c");
  EXPECT_EQ(codec->GetEncodedSize({100, true}).bytes, 104u);
  EXPECT_TRUE(codec->GetEncodedSize({100, true}).exact);
  EXPECT_FALSE(codec->GetEncodedSize({100, false}).exact);
  EXPECT_EQ(codec->GetEncodedSize({}).bytes, std::nullopt);
}

TEST(Crc32cCodec, NoticesTruncation) {
  Bytes encoded;
  Make("crc32c")->Encode(ChunkText(), 1, &encoded);
  ExpectTruncationsFail(*Make("crc32c"), encoded, ChunkText().size());
}

TEST(Crc32cCodec, NoticesCorruption) {
  Bytes encoded;
  Make("crc32c")->Encode(ChunkText(), 1, &encoded);
  EXPECT_EQ(CountSilentCorruptions(*Make("crc32c"), encoded, ChunkText()), 0);
}

TEST(Crc32cCodec, ChecksTheLocation) {
  ExpectWrong("numcodecs.crc32c", R"({"location": "middle"})", "/location");
  ExpectWrong("numcodecs.crc32c", R"({"location": 0})", "/location");
}

}  // namespace
}  // namespace zarr::codec_test
