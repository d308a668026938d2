// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "autotest/cpp/support/cache_test_util.h"
#include "autotest/cpp/support/failing_allocations.h"
#include "zarrlib/array/cache/array_registry.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/array/cache/shard_index_cache.h"

/// Whichever allocation fails, the caches stay consistent.
namespace zarr {
namespace {

using test::kKiB;
using test::MakeChunk;
using test::SucceedsWithin;

TEST(OutOfMemory, AChunkIsInserted_OrNot) {
  bool enough = false;
  for (int allocations = 0; !enough; ++allocations) {
    ChunkCache cache(8000 * kKiB);
    for (std::uint64_t i = 0; i < 3; ++i) cache.Insert({1, i, 0}, MakeChunk(kKiB, std::byte{5}));
    auto chunk = MakeChunk(kKiB);
    enough = SucceedsWithin(allocations, [&] { cache.Insert({2, 0, 0}, std::move(chunk)); });
    chunk = nullptr;
    const auto found = cache.Find({2, 0, 0});
    EXPECT_EQ(found != nullptr, enough);
    EXPECT_TRUE(!found || found->bytes == Bytes(kKiB, std::byte{1}));
    cache.Insert({2, 1, 0}, MakeChunk(kKiB));
    cache.EraseChunk(2, 0, 1);
    cache.EraseArray(2);
    EXPECT_EQ(cache.Find({2, 0, 0}), nullptr);
    EXPECT_EQ(cache.Find({2, 1, 0}), nullptr);
    for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(cache.Find({1, i, 0})->bytes, Bytes(kKiB, std::byte{5}));
    cache.EraseArray(1);
    EXPECT_EQ(cache.size(), 0u);
  }
}

TEST(OutOfMemory, AChunkTakesThePlaceOfAnother_OrItIsGone) {
  bool enough = false;
  for (int allocations = 0; !enough; ++allocations) {
    ChunkCache cache(8000 * kKiB);
    cache.Insert({1, 0, 0}, MakeChunk(200 * kKiB, std::byte{5}));
    auto chunk = MakeChunk(200 * kKiB);
    enough = SucceedsWithin(allocations, [&] { cache.Insert({1, 0, 0}, std::move(chunk)); });
    const auto found = cache.Find({1, 0, 0});
    EXPECT_TRUE(!enough || (found && found->bytes[0] == std::byte{1}));
    cache.Clear();
    EXPECT_EQ(cache.size(), 0u);
  }
}

TEST(OutOfMemory, WhatIsOutOfDateIsDroppedWithoutMemory) {
  ChunkCache cache(80000 * kKiB);
  for (std::uint64_t i = 0; i < 12; ++i) cache.Insert({1 + i % 2, i, 0}, MakeChunk(200 * kKiB));
  EXPECT_TRUE(SucceedsWithin(0, [&] {
    cache.Erase({1, 0, 0});
    cache.EraseChunk(1, 2, 1);
    cache.EraseChunk(2, 1, 100);
    cache.EraseArray(1);
  }));
  for (std::uint64_t i = 0; i < 12; ++i) EXPECT_EQ(cache.Find({1 + i % 2, i, 0}) != nullptr, i % 2 == 1 && i != 1);
  EXPECT_TRUE(SucceedsWithin(0, [&] { cache.SetLimit(300 * kKiB); }));
  EXPECT_LE(cache.size(), 300 * kKiB);
  EXPECT_TRUE(SucceedsWithin(0, [&] { cache.Clear(); }));
  EXPECT_EQ(cache.size(), 0u);
}

TEST(OutOfMemory, AShardIsInserted_OrNot) {
  const std::atomic<std::uint64_t> generation{0};
  const auto shard = test::ShardOf(kKiB);
  bool enough = false;
  for (int allocations = 0; !enough; ++allocations) {
    ShardIndexCache cache;
    cache.Insert({1, 0, 0}, shard, generation, 0);
    enough = SucceedsWithin(allocations, [&] { cache.Insert({2, 0, 0}, shard, generation, 0); });
    EXPECT_EQ(cache.Find({2, 0, 0}) != nullptr, enough);
    cache.Insert({2, 0, 0}, shard, generation, 0);
    cache.Erase({2, 0, 0});
    EXPECT_EQ(cache.Find({2, 0, 0}), nullptr);
    EXPECT_EQ(cache.Find({1, 0, 0}), shard);
    // Each entry is found until there is no more room; then the oldest one goes.
    for (std::uint64_t i = 0; i < (std::uint64_t{64} << 10); ++i) cache.Insert({3, i, 0}, shard, generation, 0);
    EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
    EXPECT_EQ(cache.Find({3, 0, 0}), shard);
  }
}

TEST(OutOfMemory, AnIdentityIsMade_OrNot) {
  bool enough = false;
  for (int allocations = 0; !enough; ++allocations) {
    const std::string store = "a store whose name is long enough to need memory";
    std::shared_ptr<const ArrayIdentity> identity;
    enough = SucceedsWithin(allocations, [&] { identity = ArrayIdentity::Get(store, "path", 7); });
    const auto again = ArrayIdentity::Get(store, "path", 7);
    EXPECT_TRUE(!identity || identity == again);
    EXPECT_EQ(again->place().FindNext(0), again->id());
    EXPECT_EQ(again->place().FindNext(again->id()), std::nullopt);
  }
}

}  // namespace
}  // namespace zarr
