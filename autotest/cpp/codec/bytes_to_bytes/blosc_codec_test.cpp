// SPDX-License-Identifier: MIT
#include "zarrlib/codec/bytes_to_bytes/blosc_codec.h"

#include "autotest/cpp/support/blosc_vectors.h"
#include "autotest/cpp/support/codec_test_util.h"

namespace zarr::codec_test {
namespace {

struct BloscCodec : RequiresCodec {
  BloscCodec() : RequiresCodec("blosc") {}
};

using blosc_vectors::kBloscLz;
using blosc_vectors::kLz4;
using blosc_vectors::kSnappy;
using blosc_vectors::kZlib;
using blosc_vectors::kZstd;

// The places of the header's members.
constexpr std::size_t kVersion = 0;
constexpr std::size_t kFlags = 2;
constexpr std::size_t kTypeSize = 3;
constexpr std::size_t kDecodedSize = 4;
constexpr std::size_t kBlockSize = 8;
constexpr std::size_t kEncodedSize = 12;
constexpr std::size_t kHeaderSize = 16;

// Bits of the flags.
constexpr int kShuffled = 1;
constexpr int kBitShuffled = 4;

Bytes WithByte(std::string_view hex, std::size_t at, unsigned value) {
  Bytes bytes = FromHex(hex);
  bytes[at] = static_cast<std::byte>(value);
  return bytes;
}

Bytes WithNumber(std::string_view hex, std::size_t at, std::uint32_t value) {
  Bytes bytes = FromHex(hex);
  WriteLittleEndian(bytes.data() + at, value);
  return bytes;
}

std::string Configuration(std::string_view compressor, int level, std::string_view shuffle) {
  return R"({"cname": ")" + std::string(compressor) + R"(", "clevel": )" + std::to_string(level) + R"(, "shuffle": )" +
         std::string(shuffle) + "}";
}

TEST_F(BloscCodec, DecodesWhatZarrPythonWrote) {
  for (const std::string_view hex : {kZstd, kBloscLz, kSnappy, kZlib, kLz4}) {
    SCOPED_TRACE(hex.substr(0, 8));
    ExpectDecodes(*Make("blosc"), FromHex(hex), Ramp(30, 0, 0, 20, 15));
    EXPECT_EQ(Make("blosc")->GetClaimedSize(FromHex(hex)), 1200u);
  }
}

TEST_F(BloscCodec, ViewsStoredBytesInPlace) {
  Bytes encoded;
  const auto codec = Make("blosc", Configuration("lz4", 0, "1"));
  codec->Encode(Noise(300), 1, &encoded);
  EXPECT_EQ(encoded.size(), 300 + kHeaderSize);
  const auto view = codec->DecodeView(encoded);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->data(), encoded.data() + kHeaderSize);
  EXPECT_EQ(codec->DecodeView(FromHex(kLz4)), std::nullopt);
}

TEST_F(BloscCodec, RoundTripsWithEveryCompressorAndShuffle) {
  for (const char* compressor : {"lz4", "lz4hc", "blosclz", "zstd", "zlib", "snappy"}) {
    for (const char* shuffle : {"\"noshuffle\"", "\"shuffle\"", "\"bitshuffle\"", "-1"}) {
      SCOPED_TRACE(std::string(compressor) + shuffle);
      ExpectRoundTrips(*Make("blosc", Configuration(compressor, 5, shuffle)));
    }
  }
}

TEST_F(BloscCodec, RoundTripsAtEveryLevel) {
  for (int level = 0; level <= 9; ++level) ExpectRoundTrips(*Make("blosc", Configuration("zstd", level, "1")));
}

TEST_F(BloscCodec, RoundTripsManyBlocks) {
  ExpectRoundTrip(*Make("blosc", R"({"blocksize": 128})"), Pattern(70000), 8);
  ExpectRoundTrip(*Make("blosc", R"({"blocksize": 2147483647})"), Pattern(70000), 8);
  ExpectRoundTrip(*Make("blosc", R"({"cname": "blosclz", "clevel": 9})"), Zeros(5'000'000), 4);
}

TEST_F(BloscCodec, RoundTripsElementsOfAnySize) {
  for (const std::size_t item_size : {1, 2, 3, 16, 17, 28, 255, 256, 1000}) {
    ExpectRoundTrip(*Make("blosc"), Pattern(70000), item_size);
  }
}

TEST_F(BloscCodec, TakesTheTypeSizeFromItsConfigurationOrTheElements) {
  Bytes configured, from_elements, too_large;
  Make("blosc", R"({"typesize": 8})")->Encode(Pattern(5000), 4, &configured);
  Make("blosc")->Encode(Pattern(5000), 4, &from_elements);
  Make("blosc")->Encode(Pattern(5000), 256, &too_large);
  EXPECT_EQ(configured[kTypeSize], std::byte{8});
  EXPECT_EQ(from_elements[kTypeSize], std::byte{4});
  EXPECT_EQ(too_large[kTypeSize], std::byte{1});
}

TEST_F(BloscCodec, ShufflesAsItIsTold) {
  const auto shuffle_flags = [](std::string_view shuffle, std::size_t item_size) {
    Bytes encoded;
    Make("numcodecs.blosc", Configuration("lz4", 5, shuffle))->Encode(Zeros(5000), item_size, &encoded);
    return std::to_integer<int>(encoded[kFlags]) & (kShuffled | kBitShuffled);
  };
  for (const char* none : {"0", "\"noshuffle\"", "\"NONE\"", "\"none\"", "\"0\""})
    EXPECT_EQ(shuffle_flags(none, 4), 0) << none;
  for (const char* bytes : {"1", "\"shuffle\"", "\"BYTE\"", "\"Byte\"", "\"1\""})
    EXPECT_EQ(shuffle_flags(bytes, 4), kShuffled);
  for (const char* bits : {"2", "\"bitshuffle\"", "\"BIT\""}) EXPECT_EQ(shuffle_flags(bits, 4), kBitShuffled);
  EXPECT_EQ(shuffle_flags("-1", 4), kShuffled);
  EXPECT_EQ(shuffle_flags("-1", 1), kBitShuffled);
}

/// Elements of four bytes in several blocks, of 64 KiB if the library does not make smaller ones.
Bytes EncodedBlocks(const Bytes& decoded, std::string_view compressor) {
  Bytes encoded;
  const std::string configuration = R"({"cname": ")" + std::string(compressor) + R"(", "blocksize": 4096})";
  Make("blosc", configuration)->Encode(decoded, 4, &encoded);
  return encoded;
}

/// The range that ReadPart finds, and its bytes.
struct Part {
  ByteRange range;
  Bytes bytes;
};

std::optional<Part> DecodePart(const EncodedValue& encoded, std::uint64_t decoded_size, const ByteRange& wanted,
                               std::uint64_t most = UINT64_MAX) {
  const auto codec = Make("blosc");
  Bytes part;
  const auto range = codec->ReadPart(encoded, decoded_size, wanted, most, &part);
  if (!range) return std::nullopt;
  Bytes decoded(range->length);
  EXPECT_EQ(codec->Decode(part, decoded), decoded.size());
  return Part{*range, std::move(decoded)};
}

void ExpectPart(const Part& part, const Bytes& decoded, const ByteRange& wanted) {
  EXPECT_LE(part.range.offset, wanted.offset);
  EXPECT_GE(part.range.offset + part.range.length, wanted.offset + wanted.length);
  const auto begin = decoded.begin() + static_cast<std::ptrdiff_t>(part.range.offset);
  EXPECT_TRUE(std::equal(part.bytes.begin(), part.bytes.end(), begin)) << part.range.offset;
}

TEST_F(BloscCodec, DecodesBlocksAlone) {
  const Bytes decoded = Pattern(4 * 65536 + 1000);
  for (const char* compressor : {"lz4", "zstd", "zlib", "blosclz"}) {
    const Bytes encoded = EncodedBlocks(decoded, compressor);
    for (const ByteRange wanted : {ByteRange{0, 4}, {65536, 65536}, {65000, 4000}, {4 * 65536 + 996, 4}}) {
      SCOPED_TRACE(compressor);
      const auto part = DecodePart(MakeEncodedValue(encoded), decoded.size(), wanted);
      ASSERT_TRUE(part);
      EXPECT_LE(part->range.length, 2u * 65536);
      ExpectPart(*part, decoded, wanted);
      EXPECT_FALSE(DecodePart(MakeEncodedValue(encoded), decoded.size(), wanted, part->range.length - 1));
    }
    EXPECT_FALSE(DecodePart(MakeEncodedValue(encoded), decoded.size(), {0, decoded.size()}));
    EXPECT_FALSE(DecodePart(MakeEncodedValue(encoded), decoded.size() - 4, {0, 4}));
  }
}

TEST_F(BloscCodec, ReadsOnlyThePartThatItDecodes) {
  const Bytes decoded = Noise(16 * 65536);
  const Bytes encoded = EncodedBlocks(decoded, "zstd");
  std::uint64_t read = 0;
  const EncodedValue counted = {encoded.size(), [&](std::uint64_t offset, MutableByteSpan buffer) {
                                  read += buffer.size();
                                  MakeEncodedValue(encoded).read(offset, buffer);
                                }};
  const auto part = DecodePart(counted, decoded.size(), {7 * 65536, 65536});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->range, (ByteRange{7 * 65536, 65536}));
  EXPECT_LT(read, encoded.size() / 8);
}

/// Several threads write blocks in any order: here in the opposite one.
TEST_F(BloscCodec, FindsBlocksInAnyOrder) {
  const Bytes decoded = Pattern(3 * 65536);
  const Bytes encoded = EncodedBlocks(decoded, "lz4");
  constexpr std::size_t kTable = 16;
  constexpr std::size_t kBlocks = kTable + 3 * 4;
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < 3; ++i) places.push_back(LoadLittleEndian<std::uint32_t>(&encoded[kTable + 4 * i]));
  places.push_back(static_cast<std::uint32_t>(encoded.size()));
  Bytes turned(encoded.begin(), encoded.begin() + kBlocks);
  for (std::size_t i : {2u, 1u, 0u}) {
    WriteLittleEndian(turned.data() + kTable + 4 * i, static_cast<std::uint32_t>(turned.size()));
    turned.insert(turned.end(), encoded.begin() + places[i], encoded.begin() + places[i + 1]);
  }
  for (const ByteRange wanted : {ByteRange{0, 100}, {65536, 65536}, {65536, 2 * 65536}, {3 * 65536 - 4, 4}}) {
    const auto part = DecodePart(MakeEncodedValue(turned), decoded.size(), wanted);
    ASSERT_TRUE(part);
    ExpectPart(*part, decoded, wanted);
  }
}

/// Two neighbours at the ends of a long buffer: the part would be all of it.
TEST_F(BloscCodec, ReadsNoPartThatIsMuchLongerThanItsRange) {
  const Bytes decoded = Pattern(8 * 65536);
  Bytes encoded = EncodedBlocks(decoded, "lz4");
  const std::size_t size = encoded.size() + (std::size_t{1} << 20);
  WriteLittleEndian(encoded.data() + 16 + 4, static_cast<std::uint32_t>(size - 64));
  WriteLittleEndian(encoded.data() + 12, static_cast<std::uint32_t>(size));
  encoded.resize(size);
  EXPECT_FALSE(DecodePart(MakeEncodedValue(encoded), decoded.size(), {65536 - 4, 8}));
}

TEST_F(BloscCodec, TakesAnyPartOfStoredBytes) {
  Bytes encoded;
  const auto codec = Make("blosc", Configuration("lz4", 0, "1"));
  codec->Encode(Noise(300), 1, &encoded);
  const auto part = DecodePart(MakeEncodedValue(encoded), 300, {7, 9});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->range, (ByteRange{7, 9}));
  ExpectPart(*part, Noise(300), {7, 9});
}

TEST_F(BloscCodec, SurvivesCorruptionOfBlocks) {
  const Bytes decoded = Pattern(3 * 65536);
  for (const char* compressor : {"lz4", "zstd", "zlib", "blosclz"}) {
    const Bytes encoded = EncodedBlocks(decoded, compressor);
    int errors = 0;
    for (std::size_t at = 0; at < encoded.size(); at += at < 64 ? 1 : 997) {
      Bytes damaged = encoded;
      damaged[at] ^= std::byte{0xA5};
      try {
        DecodePart(MakeEncodedValue(damaged), decoded.size(), {70000, 100});
      } catch (const Error& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::kCorrupt || error.kind() == ErrorKind::kUnsupported) << error.what();
        ++errors;
      }
    }
    EXPECT_GT(errors, 5) << compressor;
  }
}

TEST_F(BloscCodec, NoticesTruncation) {
  for (const std::string_view hex : {kZstd, kBloscLz, kSnappy, kZlib, kLz4}) {
    ExpectTruncationsFail(*Make("blosc"), FromHex(hex), 1200);
  }
}

TEST_F(BloscCodec, NoticesTruncationThatTheHeaderHides) {
  for (const std::string_view hex : {kZstd, kBloscLz, kSnappy, kZlib, kLz4}) {
    for (std::size_t length = kHeaderSize; length < hex.size() / 2; ++length) {
      const Bytes encoded = WithNumber(hex, kEncodedSize, static_cast<std::uint32_t>(length));
      EXPECT_EQ(DecodeErrorKind(*Make("blosc"), ByteSpan(encoded).first(length), 1200), ErrorKind::kCorrupt) << length;
    }
  }
}

TEST_F(BloscCodec, SurvivesCorruption) {
  for (const std::string_view hex : {kZstd, kBloscLz, kSnappy, kZlib, kLz4}) {
    EXPECT_GT(CountSilentCorruptions(*Make("blosc"), FromHex(hex), Ramp(30, 0, 0, 20, 15)), 0);  // there is no checksum
  }
}

TEST_F(BloscCodec, RefusesBytesBehindTheEnd) {
  EXPECT_EQ(DecodeErrorKind(*Make("blosc"), Concat(FromHex(kLz4), Zeros(1)), 1200), ErrorKind::kCorrupt);
}

TEST_F(BloscCodec, RefusesHeadersThatLie) {
  const auto codec = Make("blosc");
  for (const Bytes& encoded :
       {WithByte(kLz4, kVersion, 99), WithByte(kLz4, kVersion, 1), WithByte(kLz4, kVersion, 5),
        WithByte(kLz4, kTypeSize, 0), WithNumber(kLz4, kEncodedSize, 100000), WithNumber(kLz4, kEncodedSize, 15),
        WithNumber(kLz4, kEncodedSize, 0xFFFFFFFF), WithNumber(kLz4, kDecodedSize, 0xFFFFFFFF),
        WithNumber(kLz4, kDecodedSize, 1196), WithNumber(kLz4, kBlockSize, 0), WithNumber(kLz4, kBlockSize, 1),
        WithNumber(kLz4, kBlockSize, 0x7FFFFFFF), WithNumber(kLz4, kBlockSize, 0xFFFFFFFF),
        WithByte(kLz4, kFlags, 0xF1), WithByte(kLz4, kFlags, 0x29), WithByte(kLz4, kFlags, 0x23),
        WithNumber(kLz4, kHeaderSize, 0xFFFFFFFF), WithNumber(kLz4, kHeaderSize, 0x7FFFFFFF)}) {
    EXPECT_EQ(DecodeErrorKind(*codec, encoded, 1200), ErrorKind::kCorrupt);
  }
}

TEST_F(BloscCodec, IsNotMisledByAHugeDecodedSize) {
  const Bytes encoded = WithNumber(kLz4, kDecodedSize, 0x7FFFFFFF - kHeaderSize);
  EXPECT_NE(Make("blosc")->GetClaimedSize(encoded), std::nullopt);
  EXPECT_EQ(DecodeErrorKind(*Make("blosc"), encoded, 1200),
            ErrorKind::kCorrupt);  // there is room for the offsets of the blocks
}

TEST_F(BloscCodec, RefusesAMatchLengthThatItsLibraryCannotCount) {
  // One BloscLZ block: a literal, then a match whose length takes nine million bytes of 0xFF.
  constexpr std::size_t kRun = 9'000'000;
  Bytes encoded = FromHex(
      "020110010000100000001000"
      "00000000"
      "14000000"
      "00000000"
      "1f");
  encoded.resize(encoded.size() + 32, std::byte{0x20});
  encoded.push_back(std::byte{0xE0});
  encoded.resize(encoded.size() + kRun, std::byte{0xFF});
  encoded.resize(encoded.size() + 4, std::byte{0});
  WriteLittleEndian(encoded.data() + kEncodedSize, static_cast<std::uint32_t>(encoded.size()));
  WriteLittleEndian(encoded.data() + 20, static_cast<std::uint32_t>(encoded.size() - 24));
  EXPECT_EQ(DecodeErrorKind(*Make("blosc"), encoded, 0x100000), ErrorKind::kCorrupt);
}

TEST_F(BloscCodec, ChecksItsConfiguration) {
  ExpectWrong("blosc", R"({"cname": "nosuch"})", "/cname");
  ExpectWrong("blosc", R"({"cname": 1})", "/cname");
  ExpectWrong("blosc", R"({"clevel": 10})", "/clevel");
  ExpectWrong("blosc", R"({"clevel": -1})", "/clevel");
  ExpectWrong("blosc", R"({"shuffle": 3})", "/shuffle");
  ExpectWrong("blosc", R"({"shuffle": "byteshuffle"})", "/shuffle");
  ExpectWrong("blosc", R"({"typesize": -1})", "/typesize");
  ExpectWrong("blosc", R"({"blocksize": 2147483648})", "/blocksize");
}

}  // namespace
}  // namespace zarr::codec_test
