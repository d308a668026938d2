// SPDX-License-Identifier: MIT
#include "zarrlib/array/cache/chunk_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "autotest/cpp/support/cache_test_util.h"

namespace zarr {
namespace {

using test::kKiB;
using test::kMiB;
using test::MakeChunk;

TEST(ChunkCacheTest, FindsWhatWasInserted) {
  ChunkCache cache(100 * kKiB);
  const auto inner_chunk = MakeChunk(kKiB);
  cache.Insert({1, 2, 3}, inner_chunk);
  EXPECT_EQ(cache.Find({1, 2, 3}), inner_chunk);
  EXPECT_EQ(cache.Find({1, 3, 2}), nullptr);
  EXPECT_EQ(cache.Find({2, 2, 3}), nullptr);
  EXPECT_EQ(cache.Find({1, 2, 0}), nullptr);
}

TEST(ChunkCacheTest, DropsTheLeastRecentlyUsedFirst) {
  ChunkCache cache(10 * kKiB);
  for (std::uint64_t i = 0; i < 8; ++i) cache.Insert({1, i, 0}, MakeChunk(kKiB));
  ASSERT_NE(cache.Find({1, 0, 0}), nullptr);  // now 1 is the oldest
  cache.Insert({1, 8, 0}, MakeChunk(kKiB));
  EXPECT_NE(cache.Find({1, 0, 0}), nullptr);
  EXPECT_EQ(cache.Find({1, 1, 0}), nullptr);
  EXPECT_NE(cache.Find({1, 2, 0}), nullptr);
  EXPECT_NE(cache.Find({1, 8, 0}), nullptr);
}

TEST(ChunkCacheTest, NeverTakesMoreThanItsLimit) {
  ChunkCache cache(64 * kKiB);
  std::mt19937 random(3);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    cache.Insert({i % 3, i % 100, 0}, MakeChunk(random() % (8 * kKiB)));
    ASSERT_LE(cache.size(), cache.limit());
  }
  EXPECT_GT(cache.size(), cache.limit() / 2);
}

TEST(ChunkCacheTest, ChunksWithoutBytesCountToo) {
  ChunkCache cache(64 * kKiB);
  for (std::uint64_t i = 0; i < 10000; ++i) cache.Insert({1, i, 0}, MakeChunk(0));
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
  EXPECT_NE(cache.Find({1, 9999, 0}), nullptr);
}

TEST(ChunkCacheTest, CountsElementsOfVariableLength) {
  DecodedChunk inner_chunk;
  inner_chunk.variable.arena = Bytes(1000);
  inner_chunk.variable.elements.resize(10);
  EXPECT_EQ(inner_chunk.memory_size(), 1000 + 10 * sizeof(std::string_view));
}

TEST(ChunkCacheTest, KeepsAChunkOfAnEighthOfTheLimitAndNoneLarger) {
  ChunkCache cache(80 * kKiB);
  cache.Insert({1, 0, 0}, MakeChunk(10 * kKiB));
  cache.Insert({1, 1, 0}, MakeChunk(10 * kKiB + 1));
  EXPECT_NE(cache.Find({1, 0, 0}), nullptr);
  EXPECT_EQ(cache.Find({1, 1, 0}), nullptr);
}

TEST(ChunkCacheTest, ALaterChunkReplacesAnEarlierOne) {
  ChunkCache cache(80 * kKiB);
  cache.Insert({1, 0, 0}, MakeChunk(kKiB, std::byte{1}));
  const std::size_t size = cache.size();
  cache.Insert({1, 0, 0}, MakeChunk(kKiB, std::byte{2}));
  EXPECT_EQ(cache.Find({1, 0, 0})->bytes[0], std::byte{2});
  EXPECT_EQ(cache.size(), size);
}

TEST(ChunkCacheTest, AChunkThatIsTooLargeStillEndsTheEarlierOne) {
  ChunkCache cache(80 * kKiB);
  cache.Insert({1, 0, 0}, MakeChunk(kKiB));
  cache.Insert({1, 0, 0}, MakeChunk(20 * kKiB));
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
  EXPECT_EQ(cache.size(), 0u);
}

TEST(ChunkCacheTest, EraseDropsOneChunk) {
  ChunkCache cache(80 * kKiB);
  cache.Insert({1, 0, 0}, MakeChunk(kKiB));
  cache.Insert({1, 0, 1}, MakeChunk(kKiB));
  cache.Erase({1, 0, 0});
  cache.Erase({1, 5, 5});
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
  EXPECT_NE(cache.Find({1, 0, 1}), nullptr);
}

TEST(ChunkCacheTest, EraseArrayDropsTheChunksOfThatArrayOnly) {
  ChunkCache cache(800 * kKiB);
  for (std::uint64_t i = 0; i < 50; ++i) cache.Insert({i % 2, i, 0}, MakeChunk(kKiB));
  const std::size_t size = cache.size();
  cache.EraseArray(1);
  EXPECT_EQ(cache.size(), size / 2);
  for (std::uint64_t i = 0; i < 50; ++i) EXPECT_EQ(cache.Find({i % 2, i, 0}) != nullptr, i % 2 == 0);
}

TEST(ChunkCacheTest, EraseChunkDropsItsChunksOnly) {
  for (const std::uint64_t inner_chunks : {6, 1000}) {
    ChunkCache cache(800 * kKiB);
    for (std::uint64_t i = 0; i < 120; ++i) cache.Insert({i % 2, i / 2 % 10, i / 20}, MakeChunk(kKiB));
    cache.EraseChunk(1, 3, inner_chunks);
    cache.EraseChunk(7, 3, inner_chunks);
    for (std::uint64_t i = 0; i < 120; ++i) {
      const ChunkId key{i % 2, i / 2 % 10, i / 20};
      EXPECT_EQ(cache.Find(key) == nullptr, key.array_id == 1 && key.chunk == 3);
    }
  }
}

TEST(ChunkCacheTest, WhatIsOutOfDateIsNotKept) {
  ChunkCache cache(80 * kKiB);
  std::atomic<std::uint64_t> generation{4};
  cache.Insert({1, 0, 0}, MakeChunk(kKiB), &generation, 3);
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
  cache.Insert({1, 0, 0}, MakeChunk(kKiB), &generation, 4);
  EXPECT_NE(cache.Find({1, 0, 0}), nullptr);
}

TEST(ChunkCacheTest, NotesWhatIsMissedTwice) {
  ChunkCache cache(kKiB);
  EXPECT_FALSE(cache.NoteMiss({1, 2, 3}));
  EXPECT_FALSE(cache.NoteMiss({1, 2, 4}));
  EXPECT_TRUE(cache.NoteMiss({1, 2, 3}));
  EXPECT_FALSE(cache.NoteMiss({2, 2, 3}));
}

TEST(ChunkCacheTest, ClearDropsAll) {
  ChunkCache cache(80 * kKiB);
  for (std::uint64_t i = 0; i < 5; ++i) cache.Insert({1, i, 0}, MakeChunk(kKiB));
  cache.Clear();
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(cache.Find({1, 4, 0}), nullptr);
}

TEST(ChunkCacheTest, ALowerLimitDropsTheOldestAtOnce) {
  ChunkCache cache(80 * kKiB);
  for (std::uint64_t i = 0; i < 20; ++i) cache.Insert({1, i, 0}, MakeChunk(kKiB));
  cache.SetLimit(10 * kKiB);
  EXPECT_LE(cache.size(), 10 * kKiB);
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
  EXPECT_NE(cache.Find({1, 19, 0}), nullptr);
}

TEST(ChunkCacheTest, ALimitOfZeroKeepsNothing) {
  ChunkCache cache(0);
  cache.Insert({1, 0, 0}, MakeChunk(0));
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
}

TEST(ChunkCacheTest, AChunkInUseOutlivesItsPlace) {
  ChunkCache cache(80 * kKiB);
  cache.Insert({1, 0, 0}, MakeChunk(kKiB, std::byte{9}));
  const auto inner_chunk = cache.Find({1, 0, 0});
  cache.Clear();
  EXPECT_EQ(inner_chunk->bytes, Bytes(kKiB, std::byte{9}));
}

TEST(ChunkCacheTest, TheSharedOneIsOne) {
  EXPECT_EQ(&ChunkCache::GetShared(), &ChunkCache::GetShared());
}

TEST(ChunkCacheTest, ThreadsGetTheChunkOfTheirIdOrNone) {
  ChunkCache cache(64 * kKiB);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread, &cache, &wrong] {
      std::mt19937 random(thread);
      for (int i = 0; i < 5000; ++i) {
        const ChunkId key{random() % 3, random() % 40, 0};
        const auto value = static_cast<std::byte>(key.array_id * 40 + key.chunk);
        if (const auto inner_chunk = cache.Find(key)) {
          wrong += inner_chunk->bytes[0] != value;
        } else {
          cache.Insert(key, MakeChunk(kKiB, value));
        }
        if (i % 100 == 0) cache.Erase(key);
        if (i % 1000 == 0) cache.EraseArray(key.array_id);
        if (i % 2000 == 0) cache.SetLimit((32 + random() % 32) * kKiB);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(cache.size(), cache.limit());
}

// --- memory of chunks that were dropped --------------------------------------------------------------------------

TEST(ChunkCacheTest, MemoryOfDroppedChunksIsUsedAgain) {
  ChunkCache cache(100 * kMiB);
  auto inner_chunk = MakeChunk(kMiB);
  const std::byte* const memory = inner_chunk->bytes.data();
  cache.Insert({1, 0, 0}, std::move(inner_chunk));
  EXPECT_NE(cache.TakeBuffer(kMiB).data(), memory);
  cache.EraseArray(1);
  EXPECT_NE(cache.TakeBuffer(2 * kMiB).data(), memory);
  const Bytes again = cache.TakeBuffer(kMiB);
  EXPECT_EQ(again.data(), memory);
  EXPECT_EQ(again.size(), kMiB);
  EXPECT_EQ(cache.size(), 0u);
}

TEST(ChunkCacheTest, MemoryThatIsStillReadIsNot) {
  ChunkCache cache(100 * kMiB);
  cache.Insert({1, 0, 0}, MakeChunk(kMiB, std::byte{5}));
  const auto reader = cache.Find({1, 0, 0});
  cache.EraseArray(1);
  EXPECT_NE(cache.TakeBuffer(kMiB).data(), reader->bytes.data());
  EXPECT_EQ(reader->bytes, Bytes(kMiB, std::byte{5}));
}

TEST(ChunkCacheTest, MemoryThatIsKeptCountsAndYieldsToChunks) {
  ChunkCache cache(16 * kMiB);
  for (std::uint64_t i = 0; i < 10; ++i) cache.Insert({1, i, 0}, MakeChunk(kMiB));
  cache.EraseArray(1);
  EXPECT_EQ(cache.size(), 10 * kMiB);
  for (std::uint64_t i = 0; i < 12; ++i) {
    cache.Insert({2, i, 0}, MakeChunk(kMiB));
    ASSERT_LE(cache.size(), cache.limit());
  }
  for (std::uint64_t i = 0; i < 12; ++i) EXPECT_NE(cache.Find({2, i, 0}), nullptr);
  cache.Clear();
  EXPECT_EQ(cache.size(), 0u);
  for (std::uint64_t i = 0; i < 10; ++i) cache.Insert({1, i, 0}, MakeChunk(kMiB));
  cache.EraseArray(1);
  cache.SetLimit(kMiB);
  EXPECT_LE(cache.size(), kMiB);
}

TEST(ChunkCacheTest, NotMoreMemoryIsKeptThanIsOfUse) {
  ChunkCache cache(1024 * kMiB);
  for (std::uint64_t i = 0; i < 100; ++i) cache.Insert({1, i, 0}, MakeChunk(kMiB));
  cache.EraseArray(1);
  EXPECT_EQ(cache.size(), 64 * kMiB);
  auto inner_chunk = MakeChunk(2 * kMiB);
  const std::byte* const memory = inner_chunk->bytes.data();
  cache.Insert({1, 0, 0}, std::move(inner_chunk));
  cache.EraseArray(1);
  EXPECT_EQ(cache.size(), 64 * kMiB);
  EXPECT_EQ(cache.TakeBuffer(2 * kMiB).data(), memory);  // the buffer that was used last is given first
}

}  // namespace
}  // namespace zarr
