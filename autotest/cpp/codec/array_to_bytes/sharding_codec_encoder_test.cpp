// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/shard_test_util.h"
#include "zarrlib/base/limits.h"
#include "zarrlib/codec/array_to_bytes/sharding_codec.h"

namespace zarr::test {
namespace {

constexpr std::uint64_t kReadAtOnce = std::uint64_t{8} << 20;

bool All(std::size_t) {
  return true;
}

/// What a shard that was taken apart has of an inner chunk.
std::optional<Bytes> ChunkOf(const SplitShard& split, std::size_t number) {
  const auto range = split.inner_chunks.at(number);
  if (!range) return std::nullopt;
  const ByteSpan bytes = ByteSpan(split.bytes).subspan(range->offset, range->length);
  return Bytes(bytes.begin(), bytes.end());
}

Bytes Assembled(const ResolvedShard& shard, const std::vector<std::optional<Bytes>>& inner_chunks) {
  std::vector<std::optional<ByteSpan>> spans;
  for (const auto& chunk : inner_chunks) {
    if (chunk)
      spans.emplace_back(*chunk);
    else
      spans.emplace_back(std::nullopt);
  }
  Bytes value = ToBytes("to be replaced");
  shard->shard_encoder()->Assemble(spans, &value);
  return value;
}

TEST(ShardEncoder, AssemblesInCOrderBeforeTheIndex) {
  const Bytes value = Assembled(EightBytes(), {Octets({1}), std::nullopt, Bytes(), Octets({2, 3, 4})});
  EXPECT_EQ(HexOf(value), HexOf(ShardOf(Octets({1, 2, 3, 4}), {{0, 1}, kNoChunk, {1, 0}, {1, 3}})));
}

TEST(ShardEncoder, AssemblesBehindTheIndex) {
  const Bytes value = Assembled(EightBytes(kIndexAtStart), {std::nullopt, Octets({1}), std::nullopt, Octets({2, 3})});
  Bytes expected = IndexBytes({kNoChunk, {68, 1}, kNoChunk, {69, 2}});
  Append(Octets({1, 2, 3}), &expected);
  EXPECT_EQ(HexOf(value), HexOf(expected));
}

TEST(ShardEncoder, EncodesInnerChunksAsTheCodecsSay) {
  const ResolvedShard shard = ResolveSharding(
      ShardingConfiguration("[2]", R"([{"name": "bytes", "configuration": {"endian": "big"}}, "crc32c"])"),
      Spec({4}, "uint16"));
  const ShardEncoder& encoder = *shard->shard_encoder();
  EXPECT_EQ(encoder.inner_decoder().decoded().shape, (Shape{2}));
  Bytes encoded = ToBytes("to be replaced");
  encoder.EncodeInnerChunk(BytesOf<std::uint16_t>({0x0102, 0x0304}), &encoded);
  Bytes expected = Octets({1, 2, 3, 4});
  Append(LittleEndianOf({SlowCrc32c(expected)}), &expected);
  EXPECT_EQ(HexOf(encoded), HexOf(expected));
}

TEST(ShardEncoder, CopiesInnerChunksThatEncodingDoesNotChange) {
  Bytes encoded = ToBytes("to be replaced");
  EightBytes()->shard_encoder()->EncodeInnerChunk(Octets({5, 6}), &encoded);
  EXPECT_EQ(HexOf(encoded), HexOf(Octets({5, 6})));
}

TEST(ShardEncoder, SplitsWhatWasAssembled) {
  for (const std::string_view more : {std::string_view(), kIndexAtStart}) {
    const ResolvedShard shard = EightBytes(more);
    const std::vector<std::optional<Bytes>> chunks = {Octets({1}), std::nullopt, Bytes(), Octets({2, 3, 4})};
    const NotingReader source(Assembled(shard, chunks));
    const auto split = shard->shard_encoder()->Split(source, All);
    ASSERT_TRUE(split);
    EXPECT_EQ(source.TakeRequests(), 1);
    ASSERT_EQ(split->inner_chunks.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(ChunkOf(*split, i), chunks[i]) << i << more;
  }
}

TEST(ShardEncoder, SplitsOffOnlyWhatIsWanted) {
  // The one that is broken is not asked for: it is to be written anew.
  const NotingReader source(ShardOf(Octets({1, 2, 3, 4}), {{0, 2}, {9999, 2}, {2, 2}, kNoChunk}));
  const ResolvedShard shard = EightBytes();
  const ShardEncoder& encoder = *shard->shard_encoder();
  const auto split = encoder.Split(source, [](std::size_t i) { return i == 2 || i == 3; });
  ASSERT_TRUE(split);
  EXPECT_EQ(split->inner_chunks[0], std::nullopt);
  EXPECT_EQ(split->inner_chunks[1], std::nullopt);
  EXPECT_EQ(ChunkOf(*split, 2), Octets({3, 4}));
  EXPECT_EQ(split->inner_chunks[3], std::nullopt);
  ExpectError([&] { encoder.Split(source, All); }, ErrorKind::kCorrupt, "", "inner chunk 1");
}

TEST(ShardEncoder, HasNothingToSplitOfAnAbsentValue) {
  EXPECT_FALSE(EightBytes()->shard_encoder()->Split(NotingReader(std::nullopt), All));
}

TEST(ShardEncoder, RefusesToSplitWhatIsNoShard) {
  const ResolvedShard shard = EightBytes();
  const ShardEncoder& encoder = *shard->shard_encoder();
  ExpectError([&] { encoder.Split(NotingReader(Bytes(67)), All); }, ErrorKind::kCorrupt, "", "got 67 bytes");
  Bytes value = ShardOf(Octets({1, 2}), {{0, 2}, kNoChunk, kNoChunk, kNoChunk});
  value.back() ^= std::byte{1};
  ExpectError([&] { encoder.Split(NotingReader(value), All); }, ErrorKind::kCorrupt, "", "shard index");
}

/// A payload that is too long to be read at once, with numbers from 0 on at the beginning.
Bytes LongPayload() {
  Bytes payload(kReadAtOnce + 100, std::byte{0});
  for (std::size_t i = 0; i < 20; ++i) payload[i] = static_cast<std::byte>(i);
  return payload;
}

TEST(ShardEncoder, ReadsNeighboursOfALongValueTogether) {
  const NotingReader source(ShardOf(LongPayload(), {{6, 2}, {1, 2}, {4, 2}, {3, 1}}));
  const auto split = EightBytes()->shard_encoder()->Split(source, [](std::size_t number) { return number != 3; });
  ASSERT_TRUE(split);
  const auto read = source.TakeRead();
  ASSERT_EQ(read.size(), 3u) << "the end of the value, and what is wanted";
  EXPECT_EQ(read[1], (ByteRange{1, 2}));
  EXPECT_EQ(read[2], (ByteRange{4, 4}));
  EXPECT_EQ(split->bytes.size(), 6u);
  EXPECT_EQ(ChunkOf(*split, 0), Octets({6, 7}));
  EXPECT_EQ(ChunkOf(*split, 1), Octets({1, 2}));
  EXPECT_EQ(ChunkOf(*split, 2), Octets({4, 5}));
  EXPECT_EQ(ChunkOf(*split, 3), std::nullopt);
}

TEST(ShardEncoder, ReadsTheEndOfALongValueOnce) {
  constexpr std::uint64_t kBegin = 100 + 68;  // of the end, with an index of 68 bytes
  Bytes payload = LongPayload();
  for (std::uint64_t i = 0; i < 4; ++i) payload[kBegin - 2 + i] = static_cast<std::byte>(50 + i);
  const NotingReader source(ShardOf(payload, {{kBegin, 2}, {7, 2}, {kBegin - 2, 3}, {kBegin + 1, 1}}));
  const auto split = EightBytes()->shard_encoder()->Split(source, All);
  ASSERT_TRUE(split);
  const auto read = source.TakeRead();
  ASSERT_EQ(read.size(), 3u) << "the end of the value, and what begins before it";
  EXPECT_EQ(read[1], (ByteRange{7, 2}));
  EXPECT_EQ(read[2], (ByteRange{kBegin - 2, 3}));
  EXPECT_EQ(ChunkOf(*split, 0), Octets({52, 53}));
  EXPECT_EQ(ChunkOf(*split, 1), Octets({7, 8}));
  EXPECT_EQ(ChunkOf(*split, 2), Octets({50, 51, 52}));
  EXPECT_EQ(ChunkOf(*split, 3), Octets({53}));
}

TEST(ShardEncoder, SplitsOverlappingRangesOfALongValue) {
  const NotingReader source(ShardOf(LongPayload(), {{2, 4}, {3, 2}, {2, 4}, {6, 1}}));
  const auto split = EightBytes()->shard_encoder()->Split(source, All);
  ASSERT_TRUE(split);
  EXPECT_EQ(ChunkOf(*split, 0), Octets({2, 3, 4, 5}));
  EXPECT_EQ(ChunkOf(*split, 1), Octets({3, 4}));
  EXPECT_EQ(ChunkOf(*split, 2), Octets({2, 3, 4, 5}));
  EXPECT_EQ(ChunkOf(*split, 3), Octets({6}));
}

TEST(ShardEncoder, SplitsALongValueWithItsIndexAtTheStart) {
  Bytes value = IndexBytes({kNoChunk, {68 + 5, 3}, kNoChunk, kNoChunk});
  Append(LongPayload(), &value);
  const NotingReader source(value);
  const auto split = EightBytes(kIndexAtStart)->shard_encoder()->Split(source, All);
  ASSERT_TRUE(split);
  EXPECT_EQ(ChunkOf(*split, 1), Octets({5, 6, 7}));
  EXPECT_EQ(source.TakeRead().size(), 3u) << "the end, the index and the inner chunk";
}

TEST(ShardEncoder, ReadsNothingMoreOfALongValueWithoutInnerChunks) {
  const NotingReader source(ShardOf(LongPayload(), {kNoChunk, kNoChunk, kNoChunk, kNoChunk}));
  const auto split = EightBytes()->shard_encoder()->Split(source, All);
  ASSERT_TRUE(split);
  EXPECT_TRUE(split->bytes.empty());
  EXPECT_EQ(source.TakeRequests(), 1);
}

TEST(ShardEncoder, BoundsWhatIsKeptOfAShard) {
  // Each of many inner chunks claims the whole payload: together more than memory is to be taken for.
  const std::uint64_t size = kReadAtOnce + 100;
  const std::uint64_t most = GetLimit(Limit::kKeptOfShard) / size;
  const ResolvedShard shard = ResolveSharding(ShardingConfiguration("[1]"), ByteSpec({most + 1}));
  const NotingReader source(ShardOf(Bytes(size), std::vector<Entry>(most + 1, {0, size})));
  ExpectError([&] { shard->shard_encoder()->Split(source, All); }, ErrorKind::kLimitExceeded, "", "inner chunks of");
  EXPECT_EQ(source.TakeRequests(), 1) << "no inner chunk is read";
  const auto few = shard->shard_encoder()->Split(source, [](std::size_t number) { return number < 2; });
  ASSERT_TRUE(few);
  EXPECT_EQ(few->bytes.size(), 2 * size);
}

TEST(ShardEncoder, TakesTheOutermostPartsOfNestedShards) {
  const std::string inner = R"([{"name": "sharding_indexed", "configuration": )" + ShardingConfiguration("[2]") + "}]";
  const ResolvedShard shard = ResolveSharding(ShardingConfiguration("[4]", inner), ByteSpec({8}));
  const ShardEncoder& encoder = *shard->shard_encoder();
  EXPECT_EQ(encoder.inner_decoder().decoded().shape, (Shape{4}));
  Bytes encoded;
  encoder.EncodeInnerChunk(Octets({7, 7, 1, 2}), &encoded);
  EXPECT_EQ(HexOf(encoded), HexOf(ShardOf(Octets({1, 2}), {kNoChunk, {0, 2}})));
  const Bytes value = Assembled(shard, {std::nullopt, encoded});
  Bytes decoded(8);
  shard->Decode(value, decoded);
  EXPECT_EQ(HexOf(decoded), HexOf(Octets({7, 7, 7, 7, 7, 7, 1, 2})));
}

TEST(ShardEncoder, EncodesTextOfNestedShardsInAnotherOrder) {
  const std::string text = R"([{"name": "transpose", "configuration": {"order": [1, 0]}}, "vlen-utf8"])";
  const std::string inner = R"([{"name": "transpose", "configuration": {"order": [1, 0]}}, {"name":
      "sharding_indexed", "configuration": )" +
                            ShardingConfiguration("[1, 2]", text) + "}]";
  const ResolvedShard shard = ResolveSharding(ShardingConfiguration("[2, 3]", inner), Spec({4, 3}, "string"));
  std::vector<std::string> texts;
  for (int i = 0; i < 12; ++i) texts.push_back(std::to_string(i * i));
  const std::vector<std::string_view> elements(texts.begin(), texts.end());
  Bytes encoded;
  shard->EncodeVariable(elements, &encoded);
  VariableChunk decoded;
  shard->DecodeVariable(encoded, &decoded);
  EXPECT_EQ(decoded.elements, elements);
}

}  // namespace
}  // namespace zarr::test
