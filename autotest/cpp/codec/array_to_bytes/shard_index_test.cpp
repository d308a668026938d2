// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/shard_index.h"

#include "autotest/cpp/support/shard_test_util.h"
#include "zarrlib/base/limits.h"

namespace zarr {
namespace {

using test::ExpectError;
using test::HexOf;
using test::IndexBytes;
using test::Json;
using test::kAbsent;
using test::kCheckedIndex;
using test::kLittleBytes;

ShardIndexCodec Make(std::string_view codecs, const Shape& inner_grid) {
  const JsonNode node = Json(codecs);
  return ShardIndexCodec(*MakePipeline(ParseCodecsV3(node), false), inner_grid, node);
}

ShardIndex IndexOf(std::vector<std::uint64_t> entries) {
  return ShardIndex(std::move(entries));
}

TEST(ShardIndex, HasNoChunksWhenItIsEmpty) {
  const ShardIndex index = ShardIndex::MakeEmpty(3);
  EXPECT_EQ(index.inner_chunks(), 3u);
  EXPECT_EQ(index.memory_size(), 48u);
  EXPECT_EQ(index.entries(), std::vector<std::uint64_t>(6, kAbsent));
  for (const std::uint64_t chunk : {0, 1, 2}) EXPECT_EQ(index.At(chunk, 0), std::nullopt) << chunk;
}

TEST(ShardIndex, GivesTheRangesThatWereSet) {
  ShardIndex index = ShardIndex::MakeEmpty(3);
  index.Set(1, {10, 5});
  EXPECT_EQ(index.At(0, 15), std::nullopt);
  EXPECT_EQ(index.At(1, 15), (ByteRange{10, 5}));
  EXPECT_EQ(index.At(2, 15), std::nullopt);
  EXPECT_EQ(index.entries()[2], 10u);
  EXPECT_EQ(index.entries()[3], 5u);
}

TEST(ShardIndex, RefusesRangesBeyondTheValue) {
  const ShardIndex index = IndexOf({10, 5, 0, 16, 16, 0, 15, 0});
  ExpectError([&] { index.At(0, 14); }, ErrorKind::kCorrupt, "", "inner chunk 0");
  ExpectError([&] { index.At(1, 15); }, ErrorKind::kCorrupt, "", "a range within 15 bytes, got 16 bytes at offset 0");
  ExpectError([&] { index.At(2, 15); }, ErrorKind::kCorrupt, "", "inner chunk 2");
  EXPECT_EQ(index.At(3, 15), (ByteRange{15, 0}));  // nothing, at the very end
  EXPECT_EQ(index.At(1, std::nullopt), (ByteRange{0, 16}));
}

TEST(ShardIndex, RefusesRangesThatNoValueCanHave) {
  const ShardIndex index = IndexOf({kAbsent - 1, 2, 1, kAbsent, kAbsent, 1, kAbsent, 0});
  for (const std::uint64_t chunk : {0, 1, 2}) {
    ExpectError([&] { index.At(chunk, std::nullopt); }, ErrorKind::kCorrupt, "", "within 2^64 bytes");
  }
  // Absence is both numbers, not one of them.
  ExpectError([&] { index.At(3, 100); }, ErrorKind::kCorrupt, "", "inner chunk 3");
  ExpectError([&] { IndexOf({0, kAbsent}).At(0, 100); }, ErrorKind::kCorrupt, "", "inner chunk 0");
}

TEST(ShardIndexCodec, WritesPairsInCOrderAndAChecksum) {
  const ShardIndexCodec codec = Make(kCheckedIndex, {2, 2});
  EXPECT_EQ(codec.encoded_size(), 4u * 16 + 4);
  ShardIndex index = ShardIndex::MakeEmpty(4);
  index.Set(1, {3, 0x0102});
  index.Set(2, {0, 3});
  const Bytes encoded = codec.Encode(index);
  EXPECT_EQ(HexOf(encoded), HexOf(IndexBytes({test::kNoChunk, {3, 0x0102}, {0, 3}, test::kNoChunk})));
  EXPECT_EQ(codec.Decode(encoded).entries(), index.entries());
}

TEST(ShardIndexCodec, TakesBigEndianNumbersAndNoChecksum) {
  const ShardIndexCodec codec = Make(R"([{"name": "bytes", "configuration": {"endian": "big"}}])", {1});
  EXPECT_EQ(codec.encoded_size(), 16u);
  Bytes encoded = Bytes(16, std::byte{0});
  encoded[7] = std::byte{5};
  encoded[14] = std::byte{1};
  EXPECT_EQ(codec.Decode(encoded).At(0, std::nullopt), (ByteRange{5, 256}));
  EXPECT_EQ(HexOf(codec.Encode(codec.Decode(encoded))), HexOf(encoded));
}

TEST(ShardIndexCodec, FollowsATranspose) {
  // The index of a grid of (2) inner chunks is an array of (2, 2): transposed, all offsets come first.
  const ShardIndexCodec codec = Make(
      R"([{"name": "transpose", "configuration": {"order": [1, 0]}}, {"name": "bytes", "configuration": {"endian": "little"}}])",
      {2});
  const Bytes encoded = test::LittleEndianOf<std::uint64_t>({10, 20, 1, 2});
  const ShardIndex index = codec.Decode(encoded);
  EXPECT_EQ(index.At(0, std::nullopt), (ByteRange{10, 1}));
  EXPECT_EQ(index.At(1, std::nullopt), (ByteRange{20, 2}));
  EXPECT_EQ(HexOf(codec.Encode(index)), HexOf(encoded));
}

TEST(ShardIndexCodec, RefusesADamagedIndex) {
  const ShardIndexCodec codec = Make(kCheckedIndex, {2});
  const Bytes whole = IndexBytes({{0, 1}, {1, 1}});
  EXPECT_EQ(codec.Decode(whole).inner_chunks(), 2u);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    Bytes damaged = whole;
    damaged[i] ^= std::byte{0x10};
    ExpectError([&] { codec.Decode(damaged); }, ErrorKind::kCorrupt, "", "crc32c");
  }
}

TEST(ShardIndexCodec, RefusesCodecsWhoseSizeVaries) {
  constexpr std::string_view kCompressed =
      R"([{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "gzip", "configuration": {"level": 1}}])";
  ExpectError([&] { Make(kCompressed, {2}); }, ErrorKind::kCorrupt, "", "a fixed size");
}

TEST(ShardIndexCodec, BoundsTheNumberOfInnerChunks) {
  EXPECT_EQ(Make(kLittleBytes, {GetLimit(Limit::kInnerChunks)}).encoded_size(), 16 * GetLimit(Limit::kInnerChunks));
  ExpectError([] { Make(kLittleBytes, {GetLimit(Limit::kInnerChunks) + 1}); }, ErrorKind::kLimitExceeded, "",
              "4194304 inner chunks");
  ExpectError([] { Make(kLittleBytes, {UINT64_MAX, 3}); }, ErrorKind::kLimitExceeded, "", "inner chunks");
}

}  // namespace
}  // namespace zarr
