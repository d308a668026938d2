// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/checksum_codec.h"

#include "autotest/cpp/support/codec_test_util.h"

namespace zarr::codec_test {
namespace {

const char* const kNames[] = {"numcodecs.crc32", "numcodecs.adler32", "numcodecs.fletcher32",
                              "numcodecs.jenkins_lookup3"};

TEST(Checksum, HasTheKnownValues) {
  EXPECT_EQ(ComputeAdler32(ToBytes("Wikipedia")), 0x11E60398u);
  EXPECT_EQ(ComputeAdler32({}), 1u);
  // From the test program in the source of lookup3.
  EXPECT_EQ(ComputeJenkinsLookup3({}, 0), 0xDEADBEEFu);
  EXPECT_EQ(ComputeJenkinsLookup3({}, 0xDEADBEEF), 0xBD5B7DDEu);
  EXPECT_EQ(ComputeJenkinsLookup3(ToBytes("Four score and seven years ago"), 0), 0x17770551u);
  EXPECT_EQ(ComputeJenkinsLookup3(ToBytes("Four score and seven years ago"), 1), 0xCD628161u);
  EXPECT_EQ(ComputeFletcher32({}), 0u);
}

TEST(Checksum, AdlerSumsDoNotOverflow) {
  EXPECT_EQ(ComputeAdler32(Bytes(100000, std::byte{0xFF})), 0x149A302Cu);  // zlib
}

TEST(ChecksumCodec, DecodesWhatNumcodecsWrote) {
  // numcodecs 0.11: the first bytes of the encoded text.
  ExpectDecodes(*Make("numcodecs.crc32", R"({"id": "crc32"})"), Concat(FromHex("724c7feb"), ChunkText()), ChunkText());
  ExpectDecodes(*Make("numcodecs.adler32"), Concat(FromHex("c8241b35"), ChunkText()), ChunkText());
}

TEST(ChecksumCodec, DecodesWhatZarrPythonWrote) {
  // zarr-python 3.4.1: the bytes before or after a 10 x 6 chunk of an array that is 17 wide.
  const Bytes ramp = Ramp(17, 0, 0, 10, 6);
  ExpectDecodes(*Make("numcodecs.crc32"), Concat(FromHex("0241cee0"), ramp), ramp);
  ExpectDecodes(*Make("numcodecs.jenkins_lookup3"), Concat(ramp, FromHex("9d2bf6b3")), ramp);
  // zarr-python 3, from the tests of zarrs: the float32 numbers 0..4, 10..14, ... 40..44.
  Bytes numbers;
  for (int y = 0; y < 5; ++y) {
    for (int x = 0; x < 5; ++x) {
      Bytes number(4);
      WriteLittleEndian(number.data(), static_cast<float>(10 * y + x));
      numbers.insert(numbers.end(), number.begin(), number.end());
    }
  }
  ExpectDecodes(*Make("numcodecs.fletcher32"), Concat(numbers, FromHex("23b27e8e")), numbers);
  ExpectDecodes(*Make("numcodecs.adler32"), Concat(FromHex("c80ea1d7"), numbers), numbers);
}

TEST(ChecksumCodec, ReadsTheNamesWithoutPrefix) {
  for (const char* name : {"crc32", "adler32", "fletcher32", "jenkins_lookup3"}) EXPECT_NO_THROW(Make(name)) << name;
}

TEST(ChecksumCodec, ViewsTheBytesInPlace) {
  const Bytes encoded = Concat(FromHex("724c7feb"), ChunkText());
  const auto view = Make("numcodecs.crc32")->DecodeView(encoded);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->data(), encoded.data() + 4);
  EXPECT_EQ(view->size(), ChunkText().size());
}

TEST(ChecksumCodec, RoundTrips) {
  for (const char* name : kNames) ExpectRoundTrips(*Make(name));
  ExpectRoundTrips(*Make("numcodecs.jenkins_lookup3", R"({"initval": 4294967295, "prefix": [1, 2, 255]})"));
}

TEST(ChecksumCodec, PutsTheChecksumWhereItIsTold) {
  for (const char* name : {"numcodecs.crc32", "numcodecs.adler32"}) {
    Bytes at_start, at_end;
    Make(name, R"({"location": "start"})")->Encode(ToBytes("abc"), 1, &at_start);
    Make(name, R"({"location": "end"})")->Encode(ToBytes("abc"), 1, &at_end);
    EXPECT_EQ(AsText(at_start).substr(4), "abc");
    EXPECT_EQ(AsText(at_end).substr(0, 3), "abc");
    EXPECT_EQ(AsText(at_start).substr(0, 4), AsText(at_end).substr(3));
  }
}

TEST(ChecksumCodec, JenkinsStartsWithThePrefix) {
  Bytes encoded;
  Make("jenkins_lookup3", R"({"prefix": "Four score "})")->Encode(ToBytes("and seven years ago"), 1, &encoded);
  EXPECT_EQ(LoadLittleEndian<std::uint32_t>(encoded.data() + 19), 0x17770551u);
}

TEST(ChecksumCodec, NoticesCorruption) {
  for (const char* name : kNames) {
    Bytes encoded;
    Make(name)->Encode(ChunkText(), 1, &encoded);
    EXPECT_EQ(CountSilentCorruptions(*Make(name), encoded, ChunkText()), 0) << name;
  }
}

TEST(ChecksumCodec, NoticesTruncation) {
  for (const char* name : {"numcodecs.crc32", "numcodecs.adler32", "numcodecs.jenkins_lookup3"}) {
    Bytes encoded;
    Make(name)->Encode(ChunkText(), 1, &encoded);
    ExpectTruncationsFail(*Make(name), encoded, ChunkText().size());
  }
}

TEST(ChecksumCodec, ChecksItsConfiguration) {
  ExpectWrong("numcodecs.crc32", R"({"location": "middle"})", "/location");
  ExpectWrong("numcodecs.adler32", R"({"location": 0})", "/location");
  ExpectWrong("numcodecs.jenkins_lookup3", R"({"initval": -1})", "/initval");
  ExpectWrong("numcodecs.jenkins_lookup3", R"({"prefix": [256]})", "/prefix/0");
  ExpectWrong("numcodecs.jenkins_lookup3", R"({"prefix": 7})", "/prefix");
}

}  // namespace
}  // namespace zarr::codec_test
