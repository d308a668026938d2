// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/images/lerc_codec.h"

#include "autotest/cpp/support/image_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

class LercCodec : public codec_test::RequiresCodec {
 protected:
  LercCodec() : RequiresCodec("imagecodecs_lerc") {}
};

// liblerc 4.0 wrote these images of 3 x 2 pixels.
constexpr std::string_view kFloats =
    "4c6572633220060000002afb75ed02000000030000000100000006000000080000007f00000006000000000000000000000000000000"
    "0000000000000000000004c000000000804f22410000000000000000000000000000000000000000000020c0007c1249010000c03f00"
    "0020c000004040000080400000a040007c1249";
/// 1, 2, ... 6, of which 2 and 6 are masked.
constexpr std::string_view kMasked =
    "4c657263322006000000cbace6c102000000030000000100000004000000080000006a00000001000000000000000000000000000000"
    "0000e03f000000000000f03f000000000000144000000000000000000000000000000000050000000100bb008001050101030405";
/// Two samples a pixel: 0, 100, ... 1100.
constexpr std::string_view kPixels =
    "4c657263322006000000c86a20ad02000000030000000200000006000000080000007500000002000000000000000000000000000000"
    "0000e03f00000000000000000000000000309140000000000000000000000000000000000000000000006400e8034c040081008a0600"
    "2003199620a30fc764";
/// The same numbers as two bands.
constexpr std::string_view kBands =
    "4c65726332200600000035a40eaf02000000030000000100000006000000080000006e00000002000000010000000000000000000000"
    "0000e03f00000000000000000000000000407f4000000000000000000000000000000000000000000000f401008100890600c8206309"
    "993e4c657263322006000000a432e08602000000030000000100000006000000080000006f0000000200000000000000000000000000"
    "00000000e03f0000000000c082400000000000309140000000000000000000000000000000000000000058024c04015802bc02200384"
    "03e8034c04";
/// 1, 2, ... 6, and all of it deflated.
constexpr std::string_view kDeflated =
    "789cf3492d4a365260636060385fe4bc830948330331231083c43880381dca47050fec21f407282de180a104a48f8d9191899985950d"
    "0018dd075a";

ArrayCodec ResolveLerc(const Shape& shape, std::string_view type, std::string_view configuration = "{}") {
  return ResolveArrayCodec("imagecodecs_lerc", configuration, Spec(shape, type));
}

std::vector<std::int16_t> HundredsTo1100() {
  std::vector<std::int16_t> values;
  for (std::int16_t i = 0; i < 12; ++i) values.push_back(static_cast<std::int16_t>(100 * i));
  return values;
}

TEST_F(LercCodec, ReadsImages) {
  EXPECT_EQ(ValuesOf<float>(DecodeImage(ResolveLerc({2, 3}, "float32"), kFloats, 24)),
            (std::vector<float>{1.5f, -2.5f, 3, 4, 5, 6e5f}));
  EXPECT_EQ(ValuesOf<std::int16_t>(DecodeImage(ResolveLerc({2, 3, 2}, "int16"), kPixels, 24)), HundredsTo1100());
  EXPECT_EQ(ValuesOf<std::int16_t>(DecodeImage(ResolveLerc({2, 2, 3}, "int16"), kBands, 24)), HundredsTo1100());
}

TEST_F(LercCodec, PixelsThatAreMaskedAreZero) {
  EXPECT_EQ(DecodeImage(ResolveLerc({2, 3}, "uint8"), kMasked, 6), FromHex("010003040500"));
}

TEST_F(LercCodec, TheConfigurationIsForWriters) {
  constexpr std::string_view kOptions = R"({"level": 0.5, "version": 4, "planar": null, "compression": "zstd",
      "compressionargs": {"level": 3}, "squeeze": null})";
  EXPECT_EQ(DecodeImage(ResolveLerc({2, 3}, "uint8", kOptions), kMasked, 6), FromHex("010003040500"));
}

TEST_F(LercCodec, ReadsImagesThatAreCompressed) {
  EXPECT_EQ(DecodeImage(ResolveLerc({2, 3}, "uint8"), kDeflated, 6), FromHex("010203040506"));
  Bytes zstd;
  std::get<codec_test::CodecPointer>(MakeCodec(NamedCodec("zstd", R"({"level": 1, "checksum": false})")))
      ->Encode(FromHex(kFloats), 1, &zstd);
  EXPECT_EQ(ValuesOf<float>(DecodeChunk(*ResolveLerc({2, 3}, "float32"), zstd, 24))[5], 6e5f);
}

TEST_F(LercCodec, TheShapeMustBeThatOfTheChunk) {
  for (const Shape& shape : {Shape{3, 2}, Shape{6}, Shape{2, 3, 2}}) {
    const std::string message = GetImageMessage(ResolveLerc(shape, "float32"), FromHex(kFloats),
                                                4 * ComputeProduct(shape), ErrorKind::kCorrupt);
    EXPECT_NE(message.find("got shape [1,2,3,1]"), std::string::npos) << message;
  }
}

TEST_F(LercCodec, TheTypeMustBeThatOfTheArray) {
  EXPECT_EQ(GetImageMessage(ResolveLerc({2, 3}, "int32"), FromHex(kFloats), 24, ErrorKind::kCorrupt),
            "expected LERC's data type 4, got 6");
  ExpectError([] { ResolveLerc({2, 3}, "int64"); }, ErrorKind::kUnsupported, "", "32 bits");
  ExpectError([] { ResolveLerc({2, 3}, "bool"); }, ErrorKind::kUnsupported, "", "32 bits");
}

TEST_F(LercCodec, DamageIsAnError) {
  ExpectCutsAreErrors(ResolveLerc({2, 3}, "float32"), kFloats, 24, FromHex(kFloats).size() - 1);
  ExpectNoCrash(ResolveLerc({2, 3}, "float32"), kFloats, 24);
  ExpectNoCrash(ResolveLerc({2, 3}, "uint8"), kMasked, 6);
  ExpectNoCrash(ResolveLerc({2, 3, 2}, "int16"), kPixels, 24);
  ExpectNoCrash(ResolveLerc({2, 2, 3}, "int16"), kBands, 24);
  ExpectNoCrash(ResolveLerc({2, 3}, "uint8"), kDeflated, 6);
}

TEST_F(LercCodec, SaysWhatItDoesNotRead) {
  EXPECT_EQ(GetImageMessage(ResolveLerc({2, 3}, "uint8"), ToBytes("CntZImage "), 6, ErrorKind::kUnsupported),
            "LERC 1 is not supported");
  EXPECT_EQ(GetImageMessage(ResolveLerc({2, 3}, "uint8"), ToBytes("Lorem"), 6, ErrorKind::kCorrupt),
            "expected an image of LERC");
  ExpectError(
      [] {
        EncodeChunk(*ResolveLerc({2, 3}, "uint8"), Bytes(6));
      },
      ErrorKind::kUnsupported, "", "for reading only");
}

}  // namespace
}  // namespace zarr
