// SPDX-License-Identifier: MIT
#include "zarrlib/array/cache/shard_index_cache.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/cache_test_util.h"

namespace zarr {
namespace {

using test::kMiB;
using test::Shard;
using test::ShardOf;
using test::SizedShard;

class ShardIndexCacheTest : public testing::Test {
 protected:
  void Insert(const ChunkId& key, const Shard& shard) { cache_.Insert(key, shard, generation_, generation_.load()); }
  Shard InsertNew(const ChunkId& key, std::size_t size) {
    Shard shard = ShardOf(size);
    Insert(key, shard);
    return shard;
  }

  ShardIndexCache cache_;
  std::atomic<std::uint64_t> generation_{5};
};

TEST_F(ShardIndexCacheTest, FindsWhatWasInserted) {
  EXPECT_EQ(cache_.Find({1, 2, 0}), nullptr);
  const Shard shard = InsertNew({1, 2, 0}, 100);
  EXPECT_EQ(cache_.Find({1, 2, 0}), shard);
  EXPECT_EQ(cache_.Find({2, 1, 0}), nullptr);
  EXPECT_EQ(cache_.Find({1, 3, 0}), nullptr);
  EXPECT_EQ(cache_.size(), 100u);
}

TEST_F(ShardIndexCacheTest, ReplacesAnEntry) {
  InsertNew({1, 2, 0}, 100);
  const Shard newer = InsertNew({1, 2, 0}, 30);
  EXPECT_EQ(cache_.Find({1, 2, 0}), newer);
  EXPECT_EQ(cache_.size(), 30u);
}

TEST_F(ShardIndexCacheTest, TakesNoEntryThatIsOutOfDate) {
  const Shard older = InsertNew({1, 2, 0}, 100);
  const std::uint64_t before = generation_.load();
  ++generation_;
  cache_.Insert({1, 2, 0}, ShardOf(10), generation_, before);
  cache_.Insert({1, 3, 0}, ShardOf(10), generation_, before);
  EXPECT_EQ(cache_.Find({1, 2, 0}), older);
  EXPECT_EQ(cache_.Find({1, 3, 0}), nullptr);
  EXPECT_EQ(cache_.size(), 100u);
}

TEST_F(ShardIndexCacheTest, DropsTheEntryThatWasUsedLeastRecently) {
  for (std::uint64_t i = 0; i < 8; ++i) InsertNew({1, i, 0}, 8 * kMiB);
  EXPECT_EQ(cache_.size(), 64 * kMiB);
  EXPECT_NE(cache_.Find({1, 0, 0}), nullptr);
  InsertNew({1, 8, 0}, 8 * kMiB);
  EXPECT_EQ(cache_.size(), 64 * kMiB);
  EXPECT_EQ(cache_.Find({1, 1, 0}), nullptr);
  for (const std::uint64_t i : {0, 2, 3, 4, 5, 6, 7, 8}) EXPECT_NE(cache_.Find({1, i, 0}), nullptr) << i;
}

TEST_F(ShardIndexCacheTest, TakesNoEntryOfMoreThanAQuarter) {
  EXPECT_NE(InsertNew({1, 0, 0}, 16 * kMiB), nullptr);
  InsertNew({1, 1, 0}, 16 * kMiB + 1);
  EXPECT_NE(cache_.Find({1, 0, 0}), nullptr);
  EXPECT_EQ(cache_.Find({1, 1, 0}), nullptr);
  EXPECT_EQ(cache_.size(), 16 * kMiB);
}

TEST_F(ShardIndexCacheTest, CountsAnewWhatHasGrown) {
  const auto decoder = std::make_shared<SizedShard>(100);
  Insert({1, 0, 0}, ShardOf(decoder));
  InsertNew({1, 1, 0}, 20);
  decoder->Grow(5000);
  EXPECT_EQ(cache_.size(), 120u);
  cache_.Recount({1, 0, 0});
  EXPECT_EQ(cache_.size(), 5020u);
  decoder->Grow(50);
  cache_.Recount({1, 0, 0});
  cache_.Recount({1, 0, 0});
  EXPECT_EQ(cache_.size(), 70u);
  cache_.Recount({7, 7, 0});
  cache_.Erase({1, 0, 0});
  EXPECT_EQ(cache_.size(), 20u);
}

TEST_F(ShardIndexCacheTest, DropsOthersForWhatHasGrown) {
  InsertNew({1, 0, 0}, 8 * kMiB);
  const auto decoder = std::make_shared<SizedShard>(100);
  Insert({1, 1, 0}, ShardOf(decoder));
  decoder->Grow(60 * kMiB);
  cache_.Recount({1, 1, 0});
  EXPECT_EQ(cache_.Find({1, 0, 0}), nullptr);
  EXPECT_NE(cache_.Find({1, 1, 0}), nullptr);
  EXPECT_EQ(cache_.size(), 60 * kMiB);
  decoder->Grow(65 * kMiB);
  cache_.Recount({1, 1, 0});
  EXPECT_EQ(cache_.Find({1, 1, 0}), nullptr);
  EXPECT_EQ(cache_.size(), 0u);
}

TEST_F(ShardIndexCacheTest, ErasesAnEntry) {
  InsertNew({1, 0, 0}, 10);
  InsertNew({1, 1, 0}, 20);
  cache_.Erase({1, 0, 0});
  cache_.Erase({1, 0, 0});
  EXPECT_EQ(cache_.Find({1, 0, 0}), nullptr);
  EXPECT_NE(cache_.Find({1, 1, 0}), nullptr);
  EXPECT_EQ(cache_.size(), 20u);
}

TEST_F(ShardIndexCacheTest, ErasesTheEntriesOfAnArray) {
  for (std::uint64_t i = 0; i < 4; ++i) {
    InsertNew({1, i, 0}, 10);
    InsertNew({2, i, 0}, 10);
  }
  cache_.EraseArray(1);
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(cache_.Find({1, i, 0}), nullptr);
    EXPECT_NE(cache_.Find({2, i, 0}), nullptr);
  }
  EXPECT_EQ(cache_.size(), 40u);
}

TEST_F(ShardIndexCacheTest, LeavesAShardToWhoUsesIt) {
  std::weak_ptr<const IndexedShard> weak = InsertNew({1, 0, 0}, 10);
  const Shard used = cache_.Find({1, 0, 0});
  cache_.Erase({1, 0, 0});
  EXPECT_FALSE(weak.expired());
  EXPECT_EQ(used->decoder->memory_size(), 10u);
}

TEST(ShardIndexCache, IsOneForTheProcess) {
  EXPECT_EQ(&ShardIndexCache::GetShared(), &ShardIndexCache::GetShared());
}

}  // namespace
}  // namespace zarr
