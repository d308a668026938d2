// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/images/webp_codec.h"

#include "autotest/cpp/support/image_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

class WebpCodec : public codec_test::RequiresCodec {
 protected:
  WebpCodec() : RequiresCodec("imagecodecs_webp") {}
};

/// libwebp wrote these images without loss: 4 x 2 pixels of three samples, and 3 x 2 of four. Their samples are 0, 10,
/// 20 and so on, one band after the other.
constexpr std::string_view kRgb =
    "5249464630000000574542505650384c230000002f034000003f20164cfed1e5cf13c4285c0174fe33cb211020630b5ab46811d1ffc0"
    "0600";
constexpr std::string_view kRgba =
    "5249464632000000574542505650384c250000002f024000102f20164cfe31e52f96c4285c01ef0ab49965a869db800d75fee5d488fe"
    "c7f40200";

/// The pixels of an image whose samples go up by 10, band after band.
Bytes PixelsOf(std::size_t bands, std::size_t pixels, std::size_t with_bands) {
  Bytes result;
  for (std::size_t i = 0; i < pixels; ++i) {
    for (std::size_t band = 0; band < with_bands; ++band) {
      result.push_back(band < bands ? static_cast<std::byte>(10 * (band * pixels + i)) : std::byte{0xFF});
    }
  }
  return result;
}

ArrayCodec ResolveWebp(const Shape& shape, std::string_view configuration = "{}") {
  return ResolveArrayCodec("imagecodecs_webp", configuration, Spec(shape, "uint8"));
}

TEST_F(WebpCodec, ReadsImages) {
  EXPECT_EQ(DecodeImage(ResolveWebp({2, 4, 3}), kRgb, 24), PixelsOf(3, 8, 3));
  EXPECT_EQ(DecodeImage(ResolveWebp({1, 2, 3, 4}), kRgba, 24), PixelsOf(4, 6, 4));
}

TEST_F(WebpCodec, AlphaIsAddedAndRemovedOnDemand) {
  EXPECT_EQ(DecodeImage(ResolveWebp({2, 4, 4}, R"({"hasalpha": true})"), kRgb, 32), PixelsOf(3, 8, 4));
  EXPECT_EQ(DecodeImage(ResolveWebp({2, 3, 3}, R"({"hasalpha": false, "index": 0})"), kRgba, 18), PixelsOf(4, 6, 3));
}

TEST_F(WebpCodec, TheShapeMustBeThatOfTheChunk) {
  for (const Shape& shape : {Shape{4, 2, 3}, Shape{2, 4, 4}, Shape{24}}) {
    const std::string message =
        GetImageMessage(ResolveWebp(shape), FromHex(kRgb), ComputeProduct(shape), ErrorKind::kCorrupt);
    EXPECT_NE(message.find("got shape [2,4,3]"), std::string::npos) << message;
  }
}

TEST_F(WebpCodec, DamageIsAnError) {
  ExpectCutsAreErrors(ResolveWebp({2, 4, 3}), kRgb, 24, FromHex(kRgb).size() - 8);
  ExpectNoCrash(ResolveWebp({2, 4, 3}), kRgb, 24);
  ExpectNoCrash(ResolveWebp({2, 3, 4}), kRgba, 24);
}

TEST_F(WebpCodec, ChecksItsConfiguration) {
  const auto make = [](std::string_view configuration) { MakeCodec(NamedCodec("imagecodecs_webp", configuration)); };
  ExpectError([&] { make(R"({"hasalpha": 1})"); }, ErrorKind::kCorrupt, "/hasalpha", "");
  ExpectError([&] { make(R"({"index": 3})"); }, ErrorKind::kCorrupt, "/index", "");
  ExpectError(
      [] {
        ResolveArrayCodec("imagecodecs_webp", "{}", Spec({2, 2, 3}, "float32"));
      },
      ErrorKind::kUnsupported, "", "8 bits");
  ExpectError([] { EncodeChunk(*ResolveWebp({2, 4, 3}), Bytes(24)); }, ErrorKind::kUnsupported, "", "for reading only");
}

}  // namespace
}  // namespace zarr
