// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/images/jpeg_codec.h"

#include "autotest/cpp/support/image_test_util.h"
#include "zarrlib/base/base64.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

class JpegCodec : public codec_test::RequiresCodec {
 protected:
  JpegCodec() : RequiresCodec("imagecodecs_jpeg") {}
};

/// libjpeg-turbo wrote this image of 4 x 3 pixels.
constexpr std::string_view kGray =
    "ffd8ffe000104a46494600010100000100010000ffdb0043000101010101010101010101010101010101010101010101010101010101"
    "0101010101010101010101010101010101010101010101010101010101010101010101ffc0000b080003000401011100ffc400140001"
    "00000000000000000000000000000009ffc4001b10000203010101000000000000000000000506030407020908ffda0008010100003f"
    "004efcadc8734c77cfaf93a86669c1d4207fc2325d79de4191cbd5d6dd2f4bcdd5195d1c58495b9ac912c60b11b3cd6824bb6a688300"
    "1e0d501423159781071dffd9";
constexpr std::string_view kGrayPixels = "0a0a0ac70a0ac8c80ac8c8c8";
constexpr std::size_t kSizePosition = 94;  // of the height and the width
constexpr std::size_t kScanPosition = 163;

ArrayCodec Resolve(const Shape& shape = {3, 4}, std::string_view configuration = "{}") {
  return ResolveArrayCodec("imagecodecs_jpeg", configuration, Spec(shape, "uint8"));
}

TEST_F(JpegCodec, ReadsAnImage) {
  for (const Shape& shape : {Shape{3, 4}, Shape{1, 3, 4, 1}, Shape{3, 1, 4}}) {
    EXPECT_EQ(DecodeImage(Resolve(shape), kGray, 12), FromHex(kGrayPixels)) << ToString(shape);
  }
}

TEST_F(JpegCodec, TheConfigurationMayHoldTheHeader) {
  const Bytes whole = FromHex(kGray);
  const Bytes header(whole.begin(), whole.begin() + kScanPosition);
  const Bytes scan(whole.begin() + kScanPosition, whole.end() - 2);
  const auto codec = Resolve({3, 4}, R"({"header": ")" + EncodeBase64(header) + R"(", "tables": null})");
  EXPECT_EQ(DecodeChunk(*codec, scan, 12), FromHex(kGrayPixels));
}

TEST_F(JpegCodec, TheConfigurationMayHoldTheTables) {
  Bytes whole = FromHex(kGray);
  const auto begin = [&](std::size_t position) { return whole.begin() + static_cast<std::ptrdiff_t>(position); };
  // From 20 on: the table of quantization, the frame at 89, the tables of Huffman's codes from 102 on, the scan at 153.
  Bytes tables = FromHex("ffd8");
  tables.insert(tables.end(), begin(20), begin(89));
  tables.insert(tables.end(), begin(102), begin(153));
  tables.insert(tables.end(), {std::byte{0xFF}, std::byte{0xD9}});
  Bytes image(begin(0), begin(20));
  image.insert(image.end(), begin(89), begin(102));
  image.insert(image.end(), begin(153), whole.end());
  const auto codec = Resolve({3, 4}, R"({"tables": ")" + EncodeBase64(tables) + R"("})");
  EXPECT_EQ(DecodeChunk(*codec, image, 12), FromHex(kGrayPixels));
  GetImageMessage(Resolve(), image, 12, ErrorKind::kCorrupt);
}

TEST_F(JpegCodec, ColoursAreConverted) {
  const auto codec = Resolve({3, 4, 3}, R"({"colorspace_data": "RGB", "colorspace_jpeg": 1})");
  EXPECT_EQ(DecodeImage(codec, kGray, 36).size(), 36u);
  EXPECT_EQ(DecodeImage(codec, kGray, 36)[35], std::byte{0xC8});
  EXPECT_EQ(DecodeImage(Resolve({3, 4}, R"({"colorspace_data": 1})"), kGray, 12), FromHex(kGrayPixels));
}

TEST_F(JpegCodec, TheShapeMustBeThatOfTheChunk) {
  for (const Shape& shape : {Shape{4, 3}, Shape{2, 4}, Shape{3, 4, 3}, Shape{12}}) {
    const std::string message =
        GetImageMessage(Resolve(shape), FromHex(kGray), ComputeProduct(shape), ErrorKind::kCorrupt);
    EXPECT_NE(message.find("got shape [3,4,1]"), std::string::npos) << message;
  }
}

TEST_F(JpegCodec, ClaimsOfHugeImagesTakeNoMemory) {
  Bytes huge = FromHex(kGray);
  for (std::size_t i = 0; i < 4; ++i) huge[kSizePosition + i] = std::byte{0xF0};
  EXPECT_NE(GetImageMessage(Resolve(), huge, 12, ErrorKind::kCorrupt).find("[61680,61680,1]"), std::string::npos);
}

/// libjpeg makes up the pixels that are missing.
TEST_F(JpegCodec, TruncatedImagesAreErrors) {
  ExpectCutsAreErrors(Resolve(), kGray, 12, FromHex(kGray).size() - 3);
}

TEST_F(JpegCodec, NoDamageCrashes) {
  ExpectNoCrash(Resolve(), kGray, 12);
}

TEST_F(JpegCodec, ChecksItsConfiguration) {
  const auto make = [](std::string_view configuration) { MakeCodec(NamedCodec("imagecodecs_jpeg", configuration)); };
  ExpectError([&] { make(R"({"tables": "?"})"); }, ErrorKind::kCorrupt, "/tables", "base64");
  ExpectError([&] { make(R"({"colorspace_data": "LAB"})"); }, ErrorKind::kUnsupported, "/colorspace_data", "LAB");
  ExpectError([&] { make(R"({"colorspace_jpeg": 9})"); }, ErrorKind::kCorrupt, "/colorspace_jpeg", "");
  ExpectError(
      [] {
        ResolveArrayCodec("imagecodecs_jpeg", "{}", Spec({2, 2}, "uint16"));
      },
      ErrorKind::kUnsupported, "", "8 bits");
  ExpectError([] { EncodeChunk(*Resolve(), Bytes(12)); }, ErrorKind::kUnsupported, "", "for reading only");
}

}  // namespace
}  // namespace zarr
