// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/shard_test_util.h"
#include "zarrlib/codec/array_to_bytes/sharding_codec.h"

namespace zarr::test {
namespace {

std::vector<InnerChunkRead> PlanOf(const ShardReader& reader, const Selection& selection, const ValueReader& source) {
  std::vector<InnerChunkRead> tasks;
  reader.Plan(selection, source, &tasks);
  return tasks;
}

/// The elements of the inner chunk that a task names.
Bytes DecodedOf(const InnerChunkRead& task, const Bytes& value) {
  Bytes elements(task.decoder->decoded().byte_size());
  task.decoder->Decode(ByteSpan(value).subspan(task.range->offset, task.range->length), elements);
  return elements;
}

TEST(ShardPlan, ReadsNothingButTheIndex) {
  const NotingReader at_end(ShardOf(Octets({1, 2}), {{0, 2}, kNoChunk, kNoChunk, kNoChunk}));
  const auto opened = EightBytes()->Open(at_end);
  EXPECT_EQ(at_end.TakeRead(), (std::vector<ByteRange>{{2, 68}}));
  EXPECT_EQ(PlanOf(*opened, Selection::FromBox({{0}, {8}}), at_end).size(), 4u);
  EXPECT_EQ(at_end.TakeRequests(), 1);

  Bytes value = IndexBytes({{68, 2}, kNoChunk, kNoChunk, kNoChunk});
  Append(Octets({1, 2}), &value);
  const NotingReader at_start(value);
  EXPECT_NE(EightBytes(kIndexAtStart)->Open(at_start), nullptr);
  EXPECT_EQ(at_start.TakeRead(), (std::vector<ByteRange>{{0, 68}}));
}

TEST(ShardPlan, IsNoneOfAnAbsentValue) {
  EXPECT_EQ(EightBytes()->Open(NotingReader(std::nullopt)), nullptr);
  EXPECT_EQ(EightBytes(kIndexAtStart)->Open(NotingReader(std::nullopt)), nullptr);
}

TEST(ShardPlan, PlansTheInnerChunksThatASelectionMeets) {
  const Bytes value = ShardOf(Octets({1, 2, 3, 4, 5, 6, 8, 9}), {{6, 2}, {4, 2}, kNoChunk, {0, 2}});
  const NotingReader source(value);
  const auto opened = EightBytes()->Open(source);
  const auto two = PlanOf(*opened, Selection::FromBox({{1}, {2}}), source);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].box.origin, (Shape{0}));
  EXPECT_EQ(two[0].box.shape, (Shape{2}));
  EXPECT_EQ(two[0].inner_index, 0u);
  EXPECT_EQ(two[0].range, (ByteRange{6, 2}));
  EXPECT_EQ(two[0].source, nullptr);
  EXPECT_EQ(DecodedOf(two[0], value), Octets({8, 9}));
  EXPECT_EQ(two[1].box.origin, (Shape{2}));
  EXPECT_EQ(two[1].inner_index, 1u);
  EXPECT_EQ(two[1].range, (ByteRange{4, 2}));

  const auto absent = PlanOf(*opened, Selection::FromBox({{5}, {1}}), source);
  ASSERT_EQ(absent.size(), 1u);
  EXPECT_EQ(absent[0].inner_index, 2u);
  EXPECT_EQ(absent[0].range, std::nullopt);
}

TEST(ShardPlan, LeavesOutInnerChunksThatAStepPassesOver) {
  const NotingReader source(ShardOf(Octets({1, 2, 3, 4, 5, 6, 8, 9}), {{0, 2}, {2, 2}, {4, 2}, {6, 2}}));
  const auto opened = EightBytes()->Open(source);
  const auto tasks = PlanOf(*opened, {{1}, {2}, {5}}, source);  // the elements 1 and 6
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].inner_index, 0u);
  EXPECT_EQ(tasks[1].inner_index, 3u);
}

TEST(ShardPlan, PlansInTwoDimensions) {
  // Inner chunks of (1, 2) in a shard of (2, 6): three in a row.
  const ResolvedShard shard = ResolveSharding(ShardingConfiguration("[1, 2]"), ByteSpec({2, 6}));
  const NotingReader source(ShardOf(Bytes(12), {{0, 2}, {2, 2}, {4, 2}, {6, 2}, {8, 2}, {10, 2}}));
  const auto opened = shard->Open(source);
  const auto tasks = PlanOf(*opened, Selection::FromBox({{1, 2}, {1, 3}}), source);
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].box.origin, (Shape{1, 2}));
  EXPECT_EQ(tasks[0].box.shape, (Shape{1, 2}));
  EXPECT_EQ(tasks[0].inner_index, 4u);
  EXPECT_EQ(tasks[0].range, (ByteRange{8, 2}));
  EXPECT_EQ(tasks[1].box.origin, (Shape{1, 4}));
  EXPECT_EQ(tasks[1].inner_index, 5u);
}

TEST(ShardPlan, AppendsToWhatIsPlanned) {
  const NotingReader source(ShardOf(Bytes(8), {{0, 2}, {2, 2}, {4, 2}, {6, 2}}));
  const auto opened = EightBytes()->Open(source);
  std::vector<InnerChunkRead> tasks;
  opened->Plan(Selection::FromBox({{0}, {1}}), source, &tasks);
  opened->Plan(Selection::FromBox({{7}, {1}}), source, &tasks);
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].inner_index, 0u);
  EXPECT_EQ(tasks[1].inner_index, 3u);
}

TEST(ShardPlan, RefusesOnlyTheRangesThatAreWanted) {
  const NotingReader source(ShardOf(Octets({1, 2}), {{0, 2}, {69, 2}, kNoChunk, kNoChunk}));
  const auto opened = EightBytes()->Open(source);
  EXPECT_EQ(PlanOf(*opened, Selection::FromBox({{0}, {2}}), source).size(), 1u);
  ExpectError(
      [&] {
        PlanOf(*opened, Selection::FromBox({{0}, {3}}), source);
      },
      ErrorKind::kCorrupt, "", "inner chunk 1");
}

TEST(ShardPlan, LeavesRangesToTheReadIfTheValuesSizeIsUnknown) {
  const auto open = [](const NotingReader& source) { return EightBytes(kIndexAtStart)->Open(source); };
  const Bytes value = IndexBytes({{1000, 2}, {kAbsent - 1, 2}, kNoChunk, kNoChunk});
  const NotingReader silent(value, false);
  const auto tasks = PlanOf(*open(silent), Selection::FromBox({{0}, {1}}), silent);
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(tasks[0].range, (ByteRange{1000, 2}));
  ExpectError(
      [&] {
        PlanOf(*open(silent), Selection::FromBox({{2}, {1}}), silent);
      },
      ErrorKind::kCorrupt, "", "inner chunk 1");
  const NotingReader telling(value);
  ExpectError(
      [&] {
        PlanOf(*open(telling), Selection::FromBox({{0}, {1}}), telling);
      },
      ErrorKind::kCorrupt, "", "inner chunk 0");
}

// --- shards in shards ---------------------------------------------------------------------------------------------

/// A shard of 8 bytes in shards of 4 in inner chunks of 2.
ResolvedShard NestedShard() {
  const std::string inner = R"([{"name": "sharding_indexed", "configuration": )" + ShardingConfiguration("[2]") + "}]";
  return ResolveSharding(ShardingConfiguration("[4]", inner), ByteSpec({8}));
}

TEST(NestedShardPlan, PlansTheInnermostChunks) {
  const Bytes inner = ShardOf(Octets({10, 11, 20, 21}), {{2, 2}, {0, 2}});
  Bytes payload = Octets({99, 99, 99});
  Append(inner, &payload);
  const Bytes value = ShardOf(payload, {kNoChunk, {3, inner.size()}});
  const ResolvedShard shard = NestedShard();
  EXPECT_EQ(*shard->inner_chunk_shape(), (Shape{2}));
  const NotingReader source(value);
  const auto opened = shard->Open(source);
  EXPECT_EQ(source.TakeRequests(), 1);
  const auto tasks = PlanOf(*opened, Selection::FromBox({{3}, {5}}), source);
  EXPECT_EQ(source.TakeRequests(), 1) << "the index of the nested shard";
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(tasks[0].range, std::nullopt) << "a nested shard that is absent";
  EXPECT_EQ(tasks[0].box.origin, (Shape{0}));
  EXPECT_EQ(tasks[0].box.shape, (Shape{4}));
  EXPECT_EQ(tasks[1].box.origin, (Shape{4}));
  EXPECT_EQ(tasks[1].box.shape, (Shape{2}));
  EXPECT_EQ(tasks[1].inner_index, 2u);
  EXPECT_EQ(tasks[1].range, (ByteRange{5, 2}));
  EXPECT_EQ(DecodedOf(tasks[1], value), Octets({20, 21}));
  EXPECT_EQ(tasks[2].box.origin, (Shape{6}));
  EXPECT_EQ(tasks[2].inner_index, 3u);
  EXPECT_EQ(DecodedOf(tasks[2], value), Octets({10, 11}));
}

TEST(NestedShardPlan, KeepsTheNestedIndices) {
  const ResolvedShard shard = NestedShard();
  Bytes value;
  shard->Encode(Octets({1, 2, 3, 4, 5, 6, 8, 9}), &value);
  const NotingReader source(value);
  const auto opened = shard->Open(source);
  const std::size_t before = opened->memory_size();
  PlanOf(*opened, Selection::FromBox({{0}, {8}}), source);
  EXPECT_EQ(source.TakeRequests(), 3);
  const std::size_t after = opened->memory_size();
  EXPECT_GE(after, before + 4 * 16);
  EXPECT_LE(after, shard->max_open_size());
  EXPECT_EQ(PlanOf(*opened, Selection::FromBox({{0}, {8}}), source).size(), 4u);
  EXPECT_EQ(source.TakeRequests(), 0);
  EXPECT_EQ(opened->memory_size(), after);
}

TEST(NestedShardPlan, RefusesWhatIsBeyondTheNestedShard) {
  // The second inner chunk is within the value, but not within the nested shard of 4 + 36 bytes.
  const Bytes inner = ShardOf(Octets({10, 11, 20, 21}), {{0, 2}, {39, 2}});
  const Bytes value = ShardOf(inner, {{0, inner.size()}, kNoChunk});
  const NotingReader source(value);
  const auto opened = NestedShard()->Open(source);
  EXPECT_EQ(PlanOf(*opened, Selection::FromBox({{0}, {2}}), source).size(), 1u);
  ExpectError(
      [&] {
        PlanOf(*opened, Selection::FromBox({{2}, {2}}), source);
      },
      ErrorKind::kCorrupt, "", "within 40 bytes, got 2 bytes at offset 39");
  Bytes decoded(8);
  ExpectError([&] { NestedShard()->Decode(value, decoded); }, ErrorKind::kCorrupt, "", "inner chunk 1");
}

TEST(NestedShardPlan, RefusesANestedShardThatHasNoRoomForItsIndex) {
  const NotingReader source(ShardOf(Bytes(20), {{0, 20}, {0, 0}}));
  const auto opened = NestedShard()->Open(source);
  ExpectError(
      [&] {
        PlanOf(*opened, Selection::FromBox({{0}, {1}}), source);
      },
      ErrorKind::kCorrupt, "", "got 20 bytes");
  ExpectError([&] { PlanOf(*opened, Selection::FromBox({{4}, {1}}), source); }, ErrorKind::kCorrupt, "", "got 0 bytes");
}

TEST(NestedShardPlan, TakesAShardThatIsCompressedForAnInnerChunk) {
  const std::string inner = R"([{"name": "sharding_indexed", "configuration": )" + ShardingConfiguration("[2]") +
                            R"(}, {"name": "gzip", "configuration": {"level": 1}}])";
  const ResolvedShard shard = ResolveSharding(ShardingConfiguration("[4]", inner), ByteSpec({8}));
  EXPECT_EQ(*shard->inner_chunk_shape(), (Shape{4}));
  const Bytes elements = Octets({1, 2, 3, 4, 5, 6, 8, 9});
  Bytes value;
  shard->Encode(elements, &value);
  const NotingReader source(value);
  const auto opened = shard->Open(source);
  const auto tasks = PlanOf(*opened, Selection::FromBox({{5}, {1}}), source);
  EXPECT_EQ(source.TakeRequests(), 1);
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(tasks[0].box.shape, (Shape{4}));
  EXPECT_EQ(DecodedOf(tasks[0], value), Octets({5, 6, 8, 9}));
}

}  // namespace
}  // namespace zarr::test
