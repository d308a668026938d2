// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/n5_default_codec.h"

#include "autotest/cpp/support/filter_test_util.h"
#include "autotest/cpp/support/limit_test_util.h"

namespace zarr {
namespace {

using namespace test;  // NOLINT

std::string Configuration(std::string_view order, std::string_view more = "") {
  return R"({"codecs": [{"name": "transpose", "configuration": {"order": )" + std::string(order) +
         R"(}}, {"name": "bytes", "configuration": {"endian": "big"}})" + std::string(more) + "]}";
}

ArrayCodec N5(const ChunkSpec& spec, std::string_view more = "") {
  std::string order;
  for (std::size_t i = spec.shape.size(); i-- > 0;) order += (order.empty() ? "" : ", ") + std::to_string(i);
  return ResolveArrayCodec("n5_default", Configuration("[" + order + "]", more), spec);
}

ChunkSpec Chunk2x3() {
  return WithFill<std::uint16_t>(Spec({2, 3}, "uint16"), 9);
}

std::vector<std::uint16_t> Decode2x3(std::string_view hex) {
  return ValuesOf<std::uint16_t>(DecodeChunk(*N5(Chunk2x3()), FromHex(hex), 12));
}

constexpr std::string_view kBlock2x3 = "0000000200000002000000030001000400020005000300060007";

/// The first dimension varies fastest, and all numbers are big-endian.
TEST(N5DefaultCodec, ReadsABlock) {
  EXPECT_EQ(Decode2x3("000000020000000200000003000100040002000500030006"),
            std::vector<std::uint16_t>({1, 2, 3, 4, 5, 6}));
}

TEST(N5DefaultCodec, WritesBlocksOfTheChunksShape) {
  const auto codec = N5(Chunk2x3());
  EXPECT_EQ(codec->encoded_size(), std::nullopt);
  EXPECT_EQ(codec->inner_chunk_shape(), nullptr);
  EXPECT_EQ(HexOf(EncodeChunk(*codec, BytesOf<std::uint16_t>({1, 2, 3, 4, 5, 6}))),
            "00 00 00 02 00 00 00 02 00 00 00 03 00 01 00 04 00 02 00 05 00 03 00 06");
}

TEST(N5DefaultCodec, BlocksMayBeCutAtTheArraysEdge) {
  EXPECT_EQ(Decode2x3("000000020000000200000001"
                      "00010002"),
            std::vector<std::uint16_t>({1, 9, 9, 2, 9, 9}));
  EXPECT_EQ(Decode2x3("000000020000000100000003"
                      "000100020003"),
            std::vector<std::uint16_t>({1, 2, 3, 9, 9, 9}));
  EXPECT_EQ(Decode2x3("000000020000000000000003"), std::vector<std::uint16_t>({9, 9, 9, 9, 9, 9}));
}

TEST(N5DefaultCodec, BlocksMayBeLargerThanACutChunk) {
  EXPECT_EQ(Decode2x3("000000020000000300000003"
                      "000100040007"
                      "000200050008"
                      "000300060009"),
            std::vector<std::uint16_t>({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(Decode2x3("000000020000000300000001"
                      "000100020003"),
            std::vector<std::uint16_t>({1, 9, 9, 2, 9, 9}));
}

TEST(N5DefaultCodec, RankZeroAndThree) {
  EXPECT_EQ(ValuesOf<std::int32_t>(DecodeChunk(*N5(Spec({}, "int32")), FromHex("0000000000000007"), 4)),
            std::vector<std::int32_t>({7}));
  const auto codec = N5(Spec({2, 1, 2}, "uint8"));
  EXPECT_EQ(HexOf(DecodeChunk(*codec,
                              FromHex("00000003000000020000000100000002"
                                      "01030204"),
                              4)),
            "01 02 03 04");
}

TEST(N5DefaultCodec, RefusesOtherModes) {
  const auto kind = [](std::string_view hex) { return ErrorOf([&] { Decode2x3(hex); }).kind(); };
  EXPECT_EQ(kind("00010002000000020000000300000006000100040002000500030006"), ErrorKind::kUnsupported);
  EXPECT_EQ(kind("0002000200000002000000030000"), ErrorKind::kUnsupported);
  EXPECT_EQ(kind("0003000200000002000000030000"), ErrorKind::kCorrupt);
}

TEST(N5DefaultCodec, RefusesAnotherRank) {
  ExpectError([] { Decode2x3("000000010000000600010004000200050003"); }, ErrorKind::kCorrupt, "",
              "block header: expected 2 dimensions, got 1");
  ExpectError([] { Decode2x3("0000ffff0000000600010004000200050003"); }, ErrorKind::kCorrupt, "", "got 65535");
}

TEST(N5DefaultCodec, RefusesEveryOtherLength) {
  for (std::size_t digits = 0; digits <= kBlock2x3.size(); digits += 2) {
    if (digits == kBlock2x3.size() - 4) continue;  // the one that is right
    EXPECT_EQ(ErrorOf([&] { Decode2x3(kBlock2x3.substr(0, digits)); }).kind(), ErrorKind::kCorrupt) << digits;
  }
}

TEST(N5DefaultCodec, ClaimsOfHugeBlocksTakeNoMemory) {
  ExpectError([] { Decode2x3("00000002ffffffffffffffff0001"); }, ErrorKind::kLimitExceeded, "",
              "shape [4294967295,4294967295]");
  ExpectError([] { Decode2x3("00000002000000027fffffff0001"); }, ErrorKind::kLimitExceeded, "", "268435456 bytes");
  const LimitSetting less(Limit::kUnknownChunk, 23);
  ExpectError([] { Decode2x3("00000002000000030000000400000000"); }, ErrorKind::kLimitExceeded, "",
              "at most 23 bytes (ZARR_MAX_VARIABLE_CHUNK_SIZE)");
}

TEST(N5DefaultCodec, ChecksTheCodecsInside) {
  const ChunkSpec spec = Chunk2x3();
  const auto expect = [&](const std::string& configuration, std::string_view pointer, std::string_view part) {
    ExpectError([&] { ResolveArrayCodec("n5_default", configuration, spec); }, ErrorKind::kCorrupt, pointer, part);
  };
  expect("{}", "", "\"codecs\"");
  expect(R"({"codecs": [{"name": "bytes", "configuration": {"endian": "big"}}]})", "/codecs", "\"transpose\"");
  expect(Configuration("[0, 1]"), "/codecs/0/configuration/order", "all 2 axes in reverse order");
  expect(Configuration("[0]"), "/codecs/0/configuration/order", "");
  expect(Configuration("\"F\""), "/codecs/0/configuration/order", "");
  expect(Configuration("[1, 0]", R"(, "crc32c", "crc32c")"), "/codecs", "at most one more codec");
  expect(R"({"codecs": [{"name": "transpose", "configuration": {"order": [1, 0]}},
                        {"name": "bytes", "configuration": {"endian": "little"}}]})",
         "/codecs/1/configuration/endian", "\"big\"");
}

TEST(N5DefaultCodec, ErrorsInsideNameTheCodec) {
  const auto codec = N5(Chunk2x3(), R"(, "crc32c")");
  const std::string message =
      ErrorOf([&] { DecodeChunk(*codec, FromHex(kBlock2x3.substr(0, kBlock2x3.size() - 4)), 12); }).message();
  EXPECT_TRUE(message.starts_with("crc32c: ")) << message;
}

TEST(N5DefaultCodec, DoesNotTakeStrings) {
  ExpectError([] { N5(Spec({2, 3}, "string")); }, ErrorKind::kUnsupported, "/codecs/1/configuration", "\"string\"");
}

class N5Zstd : public codec_test::RequiresCodec {
 protected:
  N5Zstd() : RequiresCodec("zstd") {}
};

TEST_F(N5Zstd, BlocksMayBeCompressed) {
  const auto codec = N5(Spec({5, 7}, "float64"), R"(, {"name": "zstd", "configuration": {"level": 1}})");
  const Bytes elements = codec_test::Pattern(5 * 7 * 8);
  EXPECT_EQ(DecodeChunk(*codec, EncodeChunk(*codec, elements), elements.size()), elements);
  const auto smaller = N5(Spec({5, 3}, "float64"), R"(, {"name": "zstd", "configuration": {"level": 1}})");
  const Bytes block = EncodeChunk(*smaller, ByteSpan(elements).first(5 * 3 * 8));
  const Bytes decoded = DecodeChunk(*codec, block, elements.size());
  for (std::size_t row = 0; row < 5; ++row) {
    EXPECT_EQ(HexOf(ByteSpan(decoded).subspan(row * 56, 24)), HexOf(ByteSpan(elements).subspan(row * 24, 24))) << row;
    EXPECT_EQ(Bytes(decoded.begin() + static_cast<std::ptrdiff_t>(row) * 56 + 24,
                    decoded.begin() + static_cast<std::ptrdiff_t>(row + 1) * 56),
              codec_test::Zeros(32));
  }
}

}  // namespace
}  // namespace zarr
