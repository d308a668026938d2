// SPDX-License-Identifier: MIT
#include "zarrlib/codec/array_to_bytes/sharding_codec.h"

#include "autotest/cpp/support/shard_test_util.h"
#include "zarrlib/base/limits.h"

namespace zarr::test {
namespace {

Bytes DecodeAll(const ResolvedShard& shard, const Bytes& value, std::size_t size) {
  Bytes decoded(size, std::byte{0x55});
  shard->Decode(value, decoded);
  return decoded;
}

Bytes Encoded(const ResolvedShard& shard, const Bytes& elements) {
  Bytes value = ToBytes("to be replaced");
  shard->Encode(elements, &value);
  return value;
}

// --- whole shards -------------------------------------------------------------------------------------------------

TEST(ShardingCodec, ReadsAnIndexAtTheEnd) {
  const Bytes value = ShardOf(Octets({10, 11, 20, 21, 30, 31}), {{0, 2}, kNoChunk, {2, 2}, {4, 2}});
  EXPECT_EQ(HexOf(DecodeAll(EightBytes(), value, 8)), HexOf(Octets({10, 11, 7, 7, 20, 21, 30, 31})));
}

TEST(ShardingCodec, ReadsAnIndexAtTheStart) {
  // Offsets count from the beginning of the shard, where the index of 4 * 16 + 4 bytes is.
  Bytes value = IndexBytes({{68, 2}, kNoChunk, {70, 2}, kNoChunk});
  Append(Octets({10, 11, 20, 21}), &value);
  EXPECT_EQ(HexOf(DecodeAll(EightBytes(kIndexAtStart), value, 8)), HexOf(Octets({10, 11, 7, 7, 20, 21, 7, 7})));
}

TEST(ShardingCodec, TakesInnerChunksInAnyOrderWithGapsAndShared) {
  const Bytes value = ShardOf(Octets({99, 30, 31, 99, 99, 10, 11, 99}), {{5, 2}, {5, 2}, {4, 2}, {1, 2}});
  EXPECT_EQ(HexOf(DecodeAll(EightBytes(), value, 8)), HexOf(Octets({10, 11, 10, 11, 99, 10, 30, 31})));
}

TEST(ShardingCodec, WritesAnIndexAtTheEnd) {
  const Bytes elements = Octets({10, 11, 7, 7, 7, 21, 30, 31});
  const Bytes value = ShardOf(Octets({10, 11, 7, 21, 30, 31}), {{0, 2}, kNoChunk, {2, 2}, {4, 2}});
  EXPECT_EQ(HexOf(Encoded(EightBytes(), elements)), HexOf(value));
}

TEST(ShardingCodec, WritesAnIndexAtTheStart) {
  Bytes value = IndexBytes({kNoChunk, {68, 2}, kNoChunk, {70, 2}});
  Append(Octets({10, 11, 30, 31}), &value);
  EXPECT_EQ(HexOf(Encoded(EightBytes(kIndexAtStart), Octets({7, 7, 10, 11, 7, 7, 30, 31}))), HexOf(value));
}

TEST(ShardingCodec, WritesNothingButAnIndexOfAnEmptyShard) {
  const Bytes empty = ShardOf({}, {kNoChunk, kNoChunk, kNoChunk, kNoChunk});
  EXPECT_EQ(HexOf(Encoded(EightBytes(), Bytes(8, std::byte{7}))), HexOf(empty));
  EXPECT_EQ(HexOf(DecodeAll(EightBytes(), empty, 8)), HexOf(Bytes(8, std::byte{7})));
}

TEST(ShardingCodec, WritesWhatOnlyLooksLikeTheFillValue) {
  // -0.0 equals 0.0, but not byte for byte.
  ChunkSpec spec = Spec({2}, "float32");
  spec.fill_value.defined = true;
  const ResolvedShard shard = ResolveSharding(ShardingConfiguration("[1]"), spec);
  const Bytes value = Encoded(shard, BytesOf<float>({0.0f, -0.0f}));
  EXPECT_EQ(HexOf(value), HexOf(ShardOf(LittleEndianOf<float>({-0.0f}), {kNoChunk, {0, 4}})));
}

TEST(ShardingCodec, WritesZerosIfTheFillValueIsUndefined) {
  const ResolvedShard shard = ResolveSharding(ShardingConfiguration("[2]"), Spec({4}, "uint8"));
  EXPECT_EQ(HexOf(Encoded(shard, Bytes(4, std::byte{0}))), HexOf(ShardOf(Octets({0, 0, 0, 0}), {{0, 2}, {2, 2}})));
}

TEST(ShardingCodec, NumbersInnerChunksInCOrder) {
  const ResolvedShard shard = ResolveSharding(ShardingConfiguration("[1, 2]"), ByteSpec({2, 4}));
  const Bytes elements = Octets({0, 1, 2, 3, 4, 5, 6, 8});
  EXPECT_EQ(HexOf(Encoded(shard, elements)), HexOf(ShardOf(elements, {{0, 2}, {2, 2}, {4, 2}, {6, 2}})));
  const Bytes swapped = ShardOf(elements, {{6, 2}, {4, 2}, {2, 2}, {0, 2}});
  EXPECT_EQ(HexOf(DecodeAll(shard, swapped, 8)), HexOf(Octets({6, 8, 4, 5, 2, 3, 0, 1})));
}

TEST(ShardingCodec, TransposesInnerChunks) {
  constexpr std::string_view kTransposed = R"([{"name": "transpose", "configuration": {"order": [1, 0]}}, "bytes"])";
  const ResolvedShard shard = ResolveSharding(ShardingConfiguration("[2, 2]", kTransposed), ByteSpec({2, 4}));
  const Bytes elements = Octets({0, 1, 2, 3, 4, 5, 6, 8});
  const Bytes value = ShardOf(Octets({0, 4, 1, 5, 2, 6, 3, 8}), {{0, 4}, {4, 4}});
  EXPECT_EQ(HexOf(Encoded(shard, elements)), HexOf(value));
  EXPECT_EQ(HexOf(DecodeAll(shard, value, 8)), HexOf(elements));
}

// --- broken shards ------------------------------------------------------------------------------------------------

TEST(ShardingCodec, RefusesBrokenIndices) {
  const Bytes payload = Octets({10, 11, 20, 21});
  const std::vector<Entry> wrong[] = {
      {{0, 2}, kNoChunk, {71, 2}, kNoChunk},         // one byte beyond the 72 of the value
      {{0, 2}, kNoChunk, {kAbsent - 1, 2}, {0, 2}},  // around the end of the numbers
      {{0, 2}, kNoChunk, {kAbsent, 0}, {0, 2}},
      {{0, 2}, kNoChunk, {0, kAbsent}, {0, 2}},
  };
  for (const auto& entries : wrong) {
    const Bytes value = ShardOf(payload, entries);
    ASSERT_EQ(value.size(), 72u);
    ExpectError([&] { DecodeAll(EightBytes(), value, 8); }, ErrorKind::kCorrupt, "", "inner chunk 2: expected a range");
  }
}

TEST(ShardingCodec, RefusesAWrongChecksumOfTheIndex) {
  Bytes value = ShardOf(Octets({10, 11}), {{0, 2}, kNoChunk, kNoChunk, kNoChunk});
  value[2] ^= std::byte{1};
  ExpectError([&] { DecodeAll(EightBytes(), value, 8); }, ErrorKind::kCorrupt, "", "shard index");
  ExpectError([&] { EightBytes()->Open(NotingReader(value)); }, ErrorKind::kCorrupt, "", "shard index");
}

TEST(ShardingCodec, RefusesValuesThatAreShorterThanTheIndex) {
  for (const std::size_t size : {0, 1, 67}) {
    const Bytes value(size);
    ExpectError([&] { DecodeAll(EightBytes(), value, 8); }, ErrorKind::kCorrupt, "", "an index of 68 bytes");
    ExpectError([&] { EightBytes()->Open(NotingReader(value)); }, ErrorKind::kCorrupt, "",
                "got " + std::to_string(size) + " bytes");
  }
}

TEST(ShardingCodec, RefusesInnerChunksOfAnotherSize) {
  const Bytes payload = Octets({10, 11, 20});
  for (const Entry& entry : {Entry{0, 1}, Entry{0, 3}, Entry{0, 0}}) {
    const Bytes value = ShardOf(payload, {kNoChunk, kNoChunk, kNoChunk, entry});
    ExpectError([&] { DecodeAll(EightBytes(), value, 8); }, ErrorKind::kCorrupt, "", "bytes");
  }
}

// --- configurations -----------------------------------------------------------------------------------------------

TEST(ShardingCodec, RefusesInnerChunksThatDoNotDivideTheShard) {
  const auto resolve = [](std::string_view chunk_shape) {
    ResolveSharding(ShardingConfiguration(chunk_shape), ByteSpec({8, 6}));
  };
  resolve("[8, 6]");
  resolve("[1, 2]");
  for (const std::string_view first : {"3", "16", "0", "-2", "2.5", "\"2\"", "null"}) {
    SCOPED_TRACE(first);
    ExpectError([&] { resolve("[" + std::string(first) + ", 6]"); }, ErrorKind::kCorrupt, "/chunk_shape/0",
                "a divisor of the shard's edge 8");
  }
  ExpectError([&] { resolve("[8, 4]"); }, ErrorKind::kCorrupt, "/chunk_shape/1", "edge 6");
  for (const std::string_view shape : {"[8]", "[8, 6, 1]", "[]", "8", "{}"}) {
    ExpectError([&] { resolve(shape); }, ErrorKind::kCorrupt, "/chunk_shape", "a list of 2 integers");
  }
}

TEST(ShardingCodec, RefusesWrongConfigurations) {
  const auto make = [](const std::string& configuration) { ResolveSharding(configuration, ByteSpec({8})); };
  ExpectError(
      [&] { make(ShardingConfiguration("[2]", kLittleBytes, kCheckedIndex, R"(, "index_location": "middle")")); },
      ErrorKind::kCorrupt, "/index_location", "\"start\" or \"end\"");
  ExpectError([&] { make(ShardingConfiguration("[2]", "[]")); }, ErrorKind::kCorrupt, "/codecs", "array-to-bytes");
  ExpectError([&] { make(ShardingConfiguration("[2]", kLittleBytes, "[]")); }, ErrorKind::kCorrupt, "/index_codecs",
              "array-to-bytes");
  ExpectError([&] { make(R"({"chunk_shape": [2], "codecs": ["bytes"]})"); }, ErrorKind::kCorrupt, "", "index_codecs");
  ExpectError([&] { make(R"({"chunk_shape": [2], "index_codecs": ["bytes"]})"); }, ErrorKind::kCorrupt, "", "codecs");
  ExpectError([&] { make(R"({"codecs": ["bytes"], "index_codecs": ["bytes"]})"); }, ErrorKind::kCorrupt, "",
              "chunk_shape");
}

TEST(ShardingCodec, RefusesShardsOfTooManyInnerChunks) {
  const ChunkSpec spec = ByteSpec({2 * GetLimit(Limit::kInnerChunks)});
  ResolveSharding(ShardingConfiguration("[2]"), spec);
  ExpectError([&] { ResolveSharding(ShardingConfiguration("[1]"), spec); }, ErrorKind::kLimitExceeded, "/index_codecs",
              "inner chunks");
}

TEST(ShardingCodec, BoundsTheSizeOfShards) {
  const ResolvedShard shard = EightBytes();
  EXPECT_EQ(shard->encoded_size(), std::nullopt);
  ASSERT_TRUE(shard->max_encoded_size());
  EXPECT_GE(*shard->max_encoded_size(), Encoded(shard, Octets({1, 2, 3, 4, 5, 6, 8, 9})).size());
  EXPECT_EQ(*shard->inner_chunk_shape(), (Shape{2}));
}

// --- text ---------------------------------------------------------------------------------------------------------

TEST(ShardingCodec, ReadsAndWritesInnerChunksOfText) {
  ChunkSpec spec = Spec({6}, "string");
  spec.fill_value = {ToBytes("none"), true};
  const ResolvedShard shard = ResolveSharding(ShardingConfiguration("[2]", R"(["vlen-utf8"])"), spec);
  const ShardEncoder& encoder = *shard->shard_encoder();
  const std::vector<std::string_view> first = {"a", ""};
  const std::vector<std::string_view> last = {"longer text", "b"};
  Bytes first_bytes;
  Bytes last_bytes;
  encoder.EncodeInnerChunkVariable(first, &first_bytes);
  encoder.EncodeInnerChunkVariable(last, &last_bytes);
  const std::optional<ByteSpan> inner_chunks[] = {first_bytes, std::nullopt, last_bytes};
  Bytes value;
  encoder.Assemble(inner_chunks, &value);
  VariableChunk decoded;
  shard->DecodeVariable(value, &decoded);
  EXPECT_EQ(decoded.elements, (std::vector<std::string_view>{"a", "", "none", "none", "longer text", "b"}));
  for (const std::string_view element : decoded.elements) {
    if (element.empty()) continue;
    EXPECT_GE(AsBytes(element).data(), decoded.arena.data()) << element;
    EXPECT_LE(AsBytes(element).data() + element.size(), decoded.arena.data() + decoded.arena.size()) << element;
  }
}

}  // namespace
}  // namespace zarr::test
