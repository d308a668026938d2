// SPDX-License-Identifier: MIT
#include <algorithm>

#include "autotest/cpp/support/array_codec_test_util.h"
#include "autotest/cpp/support/codec_test_util.h"
#include "autotest/cpp/support/tiff_test_util.h"

namespace zarr::codec_test {
namespace {

using test::LittleEndianOf;
using test::TiffImage;
using test::TiffOf;
using test::TiffWriter;

class TiffCodec : public RequiresCodec {
 protected:
  TiffCodec() : RequiresCodec("imagecodecs_tiff") {}
};

CodecPointer Tiff(std::string_view configuration = R"({"id": "imagecodecs_tiff"})") {
  return Make("numcodecs.imagecodecs_tiff", configuration);
}

/// 3 x 2 bytes, 1 to 6, in two strips.
TiffImage TwoStrips() {
  return {.width = 3, .height = 2, .rows_per_strip = 1, .pieces = {FromHex("010203"), FromHex("040506")}};
}

std::string DecodeMessage(const TiffImage& image, ErrorKind kind) {
  const Error error = test::ErrorOf([&] { Decode(*Tiff(), TiffOf(image), 1000); });
  EXPECT_EQ(error.kind(), kind) << error.what();
  return error.message();
}

// --- decoding -----------------------------------------------------------------------------------------------------

TEST_F(TiffCodec, ReadsStrips) {
  ExpectDecodes(*Tiff(), TiffOf(TwoStrips()), FromHex("010203040506"));
  TiffImage image = TwoStrips();
  image.pieces = {FromHex("010203040506")};
  image.rows_per_strip = 0;
  ExpectDecodes(*Tiff(), TiffOf(image), FromHex("010203040506"));
}

TEST_F(TiffCodec, TheLastStripMayBeShorter) {
  const TiffImage image{.width = 2, .height = 3, .rows_per_strip = 2, .pieces = {FromHex("01020304"), FromHex("0506")}};
  ExpectDecodes(*Tiff(), TiffOf(image), FromHex("010203040506"));
}

TEST_F(TiffCodec, TurnsNumbersIntoLittleEndianOrder) {
  for (const bool big_endian : {false, true}) {
    const TiffImage shorts{
        .width = 2, .height = 1, .bits = 16, .pieces = {FromHex(big_endian ? "01020304" : "02010403")}};
    ExpectDecodes(*Tiff(), TiffOf(shorts, big_endian), LittleEndianOf<std::uint16_t>({0x0102, 0x0304}));
    const TiffImage doubles{.width = 1,
                            .height = 1,
                            .bits = 64,
                            .sample_format = 3,
                            .pieces = {FromHex(big_endian ? "3ff8000000000000" : "000000000000f83f")}};
    ExpectDecodes(*Tiff(), TiffOf(doubles, big_endian), LittleEndianOf({1.5}));
    const TiffImage complex{.width = 1,
                            .height = 1,
                            .bits = 64,
                            .sample_format = 6,
                            .pieces = {FromHex(big_endian ? "3fc00000c0000000" : "0000c03f000000c0")}};
    ExpectDecodes(*Tiff(), TiffOf(complex, big_endian), LittleEndianOf({1.5f, -2.0f}));
  }
}

TEST_F(TiffCodec, TilesAreCutAtTheEdges) {
  TiffImage image{.width = 18, .height = 17, .tile_width = 16, .tile_height = 16, .pieces = {}};
  Bytes expected(18 * 17);
  for (std::size_t y = 0; y < 17; ++y) {
    for (std::size_t x = 0; x < 18; ++x) expected[18 * y + x] = static_cast<std::byte>(7 * y + x);
  }
  for (std::size_t tile = 0; tile < 4; ++tile) {
    Bytes& piece = image.pieces.emplace_back(16 * 16);
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const std::size_t y = 16 * (tile / 2) + i / 16;
      const std::size_t x = 16 * (tile % 2) + i % 16;
      piece[i] = static_cast<std::byte>(y < 17 && x < 18 ? 7 * y + x : 255);
    }
  }
  ExpectDecodes(*Tiff(), TiffOf(image), expected);
}

TEST_F(TiffCodec, SamplesOfAPixelStandTogether) {
  const TiffImage image{.width = 2, .height = 1, .samples = 3, .photometric = 2, .pieces = {FromHex("010203040506")}};
  ExpectDecodes(*Tiff(), TiffOf(image), FromHex("010203040506"));
}

/// As in imagecodecs, such images have the shape [sample][row][column].
TEST_F(TiffCodec, PlanesStandOneAfterTheOther) {
  const TiffImage strips{.width = 2,
                         .height = 2,
                         .samples = 2,
                         .planar_configuration = 2,
                         .rows_per_strip = 1,
                         .pieces = {FromHex("0102"), FromHex("0304"), FromHex("1112"), FromHex("1314")}};
  ExpectDecodes(*Tiff(), TiffOf(strips), FromHex("0102030411121314"));
  const TiffImage tiles{.width = 2,
                        .height = 1,
                        .samples = 2,
                        .planar_configuration = 2,
                        .tile_width = 16,
                        .tile_height = 16,
                        .pieces = {Bytes(256, std::byte{1}), Bytes(256, std::byte{2})}};
  ExpectDecodes(*Tiff(), TiffOf(tiles), FromHex("01010202"));
}

/// Three times 7, then 8 and 9.
TEST_F(TiffCodec, ReadsPackBits) {
  const TiffImage image{.width = 5, .height = 1, .compression = 32773, .pieces = {FromHex("fe07010809")}};
  ExpectDecodes(*Tiff(), TiffOf(image), FromHex("0707070809"));
}

TEST_F(TiffCodec, ReadsDeflate) {
  const std::vector<std::string> names = ListCodecNames();
  if (std::find(names.begin(), names.end(), "gzip") == names.end()) GTEST_SKIP() << "zlib is not in this build";
  TiffImage image{.width = 100, .height = 20, .compression = 8, .rows_per_strip = 20, .pieces = {}};
  Make("numcodecs.zlib")->Encode(Pattern(2000), 1, &image.pieces.emplace_back());
  ExpectDecodes(*Tiff(), TiffOf(image), Pattern(2000));
}

TEST_F(TiffCodec, ReadsTiledBigEndianLzwWithPredictor) {
  std::vector<std::uint16_t> expected(90);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<std::uint16_t>(37 * i % 1000);
  ExpectDecodes(*Tiff(), FromHex(tiff_vectors::kLzw), LittleEndianOf(expected));
}

TEST_F(TiffCodec, TurnsColoursOfJpegIntoRgb) {
  Bytes expected(3 * 64);
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = static_cast<std::byte>(i % 3 == 0 ? 200 : i % 3 == 1 ? 100 : 50);
  ExpectDecodes(*Tiff(), FromHex(tiff_vectors::kJpeg), expected);
}

// --- choosing an image --------------------------------------------------------------------------------------------

/// A page, a reduced image, another page, and an image with other numbers.
Bytes FourImages() {
  TiffWriter writer;
  writer.Add(TwoStrips());
  writer.Add({.width = 1, .height = 1, .pieces = {FromHex("77")}});
  writer.Add({.width = 3, .height = 2, .pieces = {FromHex("111213141516")}});
  writer.Add({.width = 3, .height = 2, .bits = 12, .pieces = {FromHex("2122232425262728290000")}});
  return writer.bytes();
}

TEST_F(TiffCodec, IndexSaysWhichImage) {
  ExpectDecodes(*Tiff(R"({"index": 0})"), FourImages(), FromHex("010203040506"));
  ExpectDecodes(*Tiff(R"({"index": 1})"), FourImages(), FromHex("77"));
  ExpectDecodes(*Tiff(R"({"index": 2})"), FourImages(), FromHex("111213141516"));
  EXPECT_EQ(DecodeErrorKind(*Tiff(R"({"index": 3})"), FourImages(), 100), ErrorKind::kUnsupported);
  EXPECT_EQ(DecodeErrorKind(*Tiff(R"({"index": 4})"), FourImages(), 100), ErrorKind::kCorrupt);
}

TEST_F(TiffCodec, WithoutAnIndexItIsAllThatAreLikeTheFirst) {
  for (const char* configuration : {"{}", R"({"index": null})"}) {
    EXPECT_EQ(Decode(*Tiff(configuration), FourImages(), 12), FromHex("010203040506111213141516"));
    EXPECT_EQ(Decode(*Tiff(configuration), FourImages(), 20), FromHex("010203040506111213141516"));
    EXPECT_EQ(Decode(*Tiff(configuration), FourImages(), 11), std::nullopt);
  }
}

TEST_F(TiffCodec, AChunkOfOneImageTakesTheFirst) {
  EXPECT_EQ(Decode(*Tiff(), FourImages(), 6), FromHex("010203040506"));
}

// --- refused images -----------------------------------------------------------------------------------------------

TEST_F(TiffCodec, ChecksItsConfiguration) {
  ExpectWrong("imagecodecs_tiff", R"({"index": -1})", "/index");
  ExpectWrong("imagecodecs_tiff", R"({"index": "0"})", "/index");
  EXPECT_EQ(MakeError("imagecodecs_tiff", R"({"asrgb": true})").kind(), ErrorKind::kUnsupported);
  EXPECT_NO_THROW(Tiff(R"({"asrgb": false, "compression": "deflate", "predictor": null, "tile": [16, 16]})"));
}

TEST_F(TiffCodec, DoesNotEncode) {
  Bytes encoded;
  EXPECT_EQ(test::ErrorOf([&] { Tiff()->Encode(Zeros(4), 1, &encoded); }).kind(), ErrorKind::kUnsupported);
}

TEST_F(TiffCodec, SaysWhatItDoesNotRead) {
  TiffImage image = TwoStrips();
  image.bits = 12;
  EXPECT_EQ(DecodeMessage(image, ErrorKind::kUnsupported), "expected 8, 16, 32, 64 or 128 bits a sample, got 12");
  image = TwoStrips();
  image.compression = 12345;
  EXPECT_EQ(DecodeMessage(image, ErrorKind::kUnsupported), "compression 12345 is not supported");
  image = TwoStrips();
  image.depth = 2;
  EXPECT_EQ(DecodeMessage(image, ErrorKind::kUnsupported), "expected an image of depth 1, got 2");
  const TiffImage cmyk{.width = 1, .height = 1, .samples = 4, .photometric = 5, .pieces = {FromHex("01020304")}};
  EXPECT_EQ(DecodeMessage(cmyk, ErrorKind::kUnsupported), "photometric interpretation 5 is not supported");
}

TEST_F(TiffCodec, RefusesWhatIsNoTiff) {
  for (const std::string_view text : {"", "I", "II*", "PNG, or anything else", "II*\0\xFF\xFF\xFF\xFF"}) {
    EXPECT_EQ(DecodeErrorKind(*Tiff(), ToBytes(text), 100), ErrorKind::kCorrupt) << text;
  }
}

TEST_F(TiffCodec, RefusesImagesWithoutPixels) {
  TiffImage image = TwoStrips();
  image.width = 0;
  DecodeMessage(image, ErrorKind::kCorrupt);
  image = TwoStrips();
  image.pieces.clear();
  DecodeMessage(image, ErrorKind::kCorrupt);
  image = TwoStrips();
  image.pieces.pop_back();
  DecodeMessage(image, ErrorKind::kCorrupt);
}

TEST_F(TiffCodec, SaysWhichPieceCannotBeRead) {
  TiffImage image = TwoStrips();
  image.pieces[1].pop_back();
  EXPECT_TRUE(DecodeMessage(image, ErrorKind::kCorrupt).starts_with("strip 1 cannot be read: "))
      << DecodeMessage(image, ErrorKind::kCorrupt);
  const TiffImage tiles{.width = 2, .height = 2, .tile_width = 16, .tile_height = 16, .pieces = {FromHex("0102")}};
  EXPECT_TRUE(DecodeMessage(tiles, ErrorKind::kCorrupt).starts_with("tile 0 cannot be read: "));
}

TEST_F(TiffCodec, ClaimsOfHugeImagesTakeNoMemory) {
  TiffImage image = TwoStrips();
  image.width = image.height = 0xFFFFFFFF;
  image.samples = 1000;
  image.bits = 64;
  EXPECT_NE(DecodeErrorKind(*Tiff(), TiffOf(image), 100), std::nullopt);
  image = TwoStrips();
  image.height = image.rows_per_strip = 0x7FFFFFFF;
  EXPECT_EQ(Decode(*Tiff(), TiffOf(image), 100), std::nullopt);
  const TiffImage tiles{
      .width = 2, .height = 2, .tile_width = 1 << 20, .tile_height = 1 << 16, .pieces = {FromHex("00")}};
  // With 32 bits, libtiff itself takes such a tile for damaged.
  constexpr ErrorKind kExpected = sizeof(void*) > 4 ? ErrorKind::kLimitExceeded : ErrorKind::kCorrupt;
  EXPECT_EQ(DecodeErrorKind(*Tiff(), TiffOf(tiles), 100), kExpected);
}

TEST_F(TiffCodec, NothingIsWrittenToTheStandardError) {
  TiffImage image = TwoStrips();
  image.pieces[0].pop_back();
  testing::internal::CaptureStderr();
  DecodeErrorKind(*Tiff(), TiffOf(image), 100);
  DecodeErrorKind(*Tiff(), FourImages(), 100);
  DecodeErrorKind(*Tiff(), ToBytes("II*\0garbage beyond the end"), 100);
  for (std::size_t size = 0; size < tiff_vectors::kJpeg.size(); size += 20) {
    DecodeErrorKind(*Tiff(), FromHex(tiff_vectors::kJpeg.substr(0, size)), 192);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(TiffCodec, NoTruncationOrChangeCrashes) {
  for (const Bytes& file : {FourImages(), FromHex(tiff_vectors::kLzw), FromHex(tiff_vectors::kJpeg)}) {
    for (std::size_t size = 0; size < file.size(); ++size) DecodeErrorKind(*Tiff(), ByteSpan(file).first(size), 192);
    CountSilentCorruptions(*Tiff(), file, Zeros(192));
  }
}

}  // namespace
}  // namespace zarr::codec_test
