// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/read_shards_test_util.h"

namespace zarr {
namespace {

using namespace test;

constexpr std::string_view kAtStart = R"(, "index_location": "start")";

/// Shards of 192 bytes and an index, in a remote store.
struct SmallRemoteShards : ShardFixture {
  explicit SmallRemoteShards(const std::string& sharding) : ShardFixture(sharding, {12, 16}, "[6, 8]", 8) {}
};

/// A shard of 16 inner chunks of 16 KiB each, and an index, in a remote store. The three inner chunks next to the index
/// come with it.
struct LargeRemoteShard : ShardFixture {
  explicit LargeRemoteShard(std::string_view more = "")
      : ShardFixture(Sharding("[64, 64]", kPlain, more), {256, 256}, "[256, 256]", 8) {}
  static Selection InnerChunk(std::uint64_t row, std::uint64_t column) {
    return Selection::FromBox({{64 * row, 64 * column}, {64, 64}});
  }
};

std::vector<std::int32_t> Add(std::vector<std::int32_t> values, std::int32_t difference) {
  for (std::int32_t& value : values) value += difference;
  return values;
}

TEST(ReadWithIndex, ASmallShardTakesOneRequest) {
  for (const std::string& sharding : {Sharding("[3, 2]", kPlain), Sharding("[3, 2]", kCompressed, kAtStart),
                                      Sharding("[6, 4]", "[" + Sharding("[3, 2]", kCompressed) + "]")}) {
    for (const Selection& selection : {kOneInnerChunk, Selection::FromBox({{0, 0}, {6, 8}})}) {
      const SmallRemoteShards f(sharding);
      EXPECT_EQ(Read(*f.array, selection), f.ExpectedOf(selection)) << sharding;
      EXPECT_EQ(f.store->TakeReads(), 1) << sharding;
    }
  }
}

TEST(ReadWithIndex, ManySmallShardsTakeOneRequestEach) {
  const SmallRemoteShards f(Sharding("[3, 2]", kPlain));
  EXPECT_EQ(Read(*f.array, WholeOf(*f.array)), f.ExpectedOf(WholeOf(*f.array)));
  EXPECT_EQ(f.store->TakeReads(), 4);
}

TEST(ReadWithIndex, AnInnerChunkNextToTheIndexTakesNoMore) {
  const LargeRemoteShard at_end;
  const Selection last = LargeRemoteShard::InnerChunk(3, 1);
  EXPECT_EQ(Read(*at_end.array, last), at_end.ExpectedOf(last));
  EXPECT_EQ(at_end.store->TakeReads(), 1);
  const LargeRemoteShard at_start(kAtStart);
  const Selection first = LargeRemoteShard::InnerChunk(0, 2);
  EXPECT_EQ(Read(*at_start.array, first), at_start.ExpectedOf(first));
  EXPECT_EQ(at_start.store->TakeReads(), 1);
}

TEST(ReadWithIndex, AnotherInnerChunkTakesARequest) {
  for (const bool at_start : {false, true}) {
    const LargeRemoteShard f(at_start ? kAtStart : "");
    const Selection next = at_start ? LargeRemoteShard::InnerChunk(0, 3) : LargeRemoteShard::InnerChunk(3, 0);
    EXPECT_EQ(Read(*f.array, next), f.ExpectedOf(next));
    EXPECT_EQ(f.store->TakeReads(), 2);
  }
}

TEST(ReadWithIndex, TheOthersOfALargeShardTakeOneRequest) {
  const LargeRemoteShard f;
  EXPECT_EQ(Read(*f.array, WholeOf(*f.array)), f.ExpectedOf(WholeOf(*f.array)));
  EXPECT_EQ(f.store->TakeReads(), 2);
}

TEST(ReadWithIndex, AllInnerChunksAreOfOneVersion) {
  const LargeRemoteShard f;
  const std::vector<std::int32_t> expected = Add(f.ExpectedOf(WholeOf(*f.array)), 1000);
  Bytes other;
  f.array->ResolveFor({256, 256})->Encode(BytesOf(expected), &other);
  int reads = 0;
  f.store->OnRead([&](const std::string& key) {
    if (++reads == 2) f.store->Set(key, other);
  });
  ReadOptions options;
  options.threads = 1;
  EXPECT_EQ(Read(*f.array, WholeOf(*f.array), options), expected);
}

}  // namespace
}  // namespace zarr
