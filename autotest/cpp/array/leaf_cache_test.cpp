#include "zarrlib/array/leaf_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace zarr {
namespace {

constexpr std::size_t kKiB = 1024;

std::shared_ptr<DecodedLeaf> Leaf(std::size_t size, std::byte value = std::byte{1}) {
  auto leaf = std::make_shared<DecodedLeaf>();
  leaf->bytes = Bytes(size, value);
  return leaf;
}

TEST(LeafCacheTest, FindsWhatWasInserted) {
  LeafCache cache(100 * kKiB);
  const auto leaf = Leaf(kKiB);
  cache.Insert({1, 2, 3}, leaf);
  EXPECT_EQ(cache.Find({1, 2, 3}), leaf);
  EXPECT_EQ(cache.Find({1, 3, 2}), nullptr);
  EXPECT_EQ(cache.Find({2, 2, 3}), nullptr);
  EXPECT_EQ(cache.Find({1, 2, 0}), nullptr);
}

TEST(LeafCacheTest, DropsTheLeastRecentlyUsedFirst) {
  LeafCache cache(10 * kKiB);
  for (std::uint64_t i = 0; i < 8; ++i) cache.Insert({1, i, 0}, Leaf(kKiB));
  ASSERT_NE(cache.Find({1, 0, 0}), nullptr);  // now 1 is the oldest
  cache.Insert({1, 8, 0}, Leaf(kKiB));
  EXPECT_NE(cache.Find({1, 0, 0}), nullptr);
  EXPECT_EQ(cache.Find({1, 1, 0}), nullptr);
  EXPECT_NE(cache.Find({1, 2, 0}), nullptr);
  EXPECT_NE(cache.Find({1, 8, 0}), nullptr);
}

TEST(LeafCacheTest, NeverTakesMoreThanItsLimit) {
  LeafCache cache(64 * kKiB);
  std::mt19937 random(3);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    cache.Insert({i % 3, i % 100, 0}, Leaf(random() % (8 * kKiB)));
    ASSERT_LE(cache.size(), cache.limit());
  }
  EXPECT_GT(cache.size(), cache.limit() / 2);
}

TEST(LeafCacheTest, LeavesWithoutBytesCountToo) {
  LeafCache cache(64 * kKiB);
  for (std::uint64_t i = 0; i < 10000; ++i) cache.Insert({1, i, 0}, Leaf(0));
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
  EXPECT_NE(cache.Find({1, 9999, 0}), nullptr);
}

TEST(LeafCacheTest, CountsElementsOfVariableLength) {
  DecodedLeaf leaf;
  leaf.variable.arena = Bytes(1000);
  leaf.variable.elements.resize(10);
  EXPECT_EQ(leaf.memory_size(), 1000 + 10 * sizeof(std::string_view));
}

TEST(LeafCacheTest, KeepsALeafOfAnEighthOfTheLimitAndNoneLarger) {
  LeafCache cache(80 * kKiB);
  cache.Insert({1, 0, 0}, Leaf(10 * kKiB));
  cache.Insert({1, 1, 0}, Leaf(10 * kKiB + 1));
  EXPECT_NE(cache.Find({1, 0, 0}), nullptr);
  EXPECT_EQ(cache.Find({1, 1, 0}), nullptr);
}

TEST(LeafCacheTest, ALaterLeafReplacesAnEarlierOne) {
  LeafCache cache(80 * kKiB);
  cache.Insert({1, 0, 0}, Leaf(kKiB, std::byte{1}));
  const std::size_t size = cache.size();
  cache.Insert({1, 0, 0}, Leaf(kKiB, std::byte{2}));
  EXPECT_EQ(cache.Find({1, 0, 0})->bytes[0], std::byte{2});
  EXPECT_EQ(cache.size(), size);
}

TEST(LeafCacheTest, ALeafThatIsTooLargeStillEndsTheEarlierOne) {
  LeafCache cache(80 * kKiB);
  cache.Insert({1, 0, 0}, Leaf(kKiB));
  cache.Insert({1, 0, 0}, Leaf(20 * kKiB));
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
  EXPECT_EQ(cache.size(), 0u);
}

TEST(LeafCacheTest, EraseDropsOneLeaf) {
  LeafCache cache(80 * kKiB);
  cache.Insert({1, 0, 0}, Leaf(kKiB));
  cache.Insert({1, 0, 1}, Leaf(kKiB));
  cache.Erase({1, 0, 0});
  cache.Erase({1, 5, 5});
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
  EXPECT_NE(cache.Find({1, 0, 1}), nullptr);
}

TEST(LeafCacheTest, EraseArrayDropsTheLeavesOfThatArrayOnly) {
  LeafCache cache(800 * kKiB);
  for (std::uint64_t i = 0; i < 50; ++i) cache.Insert({i % 2, i, 0}, Leaf(kKiB));
  const std::size_t size = cache.size();
  cache.EraseArray(1);
  EXPECT_EQ(cache.size(), size / 2);
  for (std::uint64_t i = 0; i < 50; ++i) EXPECT_EQ(cache.Find({i % 2, i, 0}) != nullptr, i % 2 == 0);
}

TEST(LeafCacheTest, EraseChunkDropsItsLeavesOnly) {
  for (const std::uint64_t leaves : {6, 1000}) {
    LeafCache cache(800 * kKiB);
    for (std::uint64_t i = 0; i < 120; ++i) cache.Insert({i % 2, i / 2 % 10, i / 20}, Leaf(kKiB));
    cache.EraseChunk(1, 3, leaves);
    cache.EraseChunk(7, 3, leaves);
    for (std::uint64_t i = 0; i < 120; ++i) {
      const LeafKey key{i % 2, i / 2 % 10, i / 20};
      EXPECT_EQ(cache.Find(key) == nullptr, key.array_id == 1 && key.chunk == 3);
    }
  }
}

TEST(LeafCacheTest, WhatIsOutOfDateIsNotKept) {
  LeafCache cache(80 * kKiB);
  std::atomic<std::uint64_t> generation{4};
  cache.Insert({1, 0, 0}, Leaf(kKiB), &generation, 3);
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
  cache.Insert({1, 0, 0}, Leaf(kKiB), &generation, 4);
  EXPECT_NE(cache.Find({1, 0, 0}), nullptr);
}

TEST(LeafCacheTest, NotesWhatIsMissedTwice) {
  LeafCache cache(kKiB);
  EXPECT_FALSE(cache.NoteMiss({1, 2, 3}));
  EXPECT_FALSE(cache.NoteMiss({1, 2, 4}));
  EXPECT_TRUE(cache.NoteMiss({1, 2, 3}));
  EXPECT_FALSE(cache.NoteMiss({2, 2, 3}));
}

TEST(LeafCacheTest, ClearDropsAll) {
  LeafCache cache(80 * kKiB);
  for (std::uint64_t i = 0; i < 5; ++i) cache.Insert({1, i, 0}, Leaf(kKiB));
  cache.Clear();
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(cache.Find({1, 4, 0}), nullptr);
}

TEST(LeafCacheTest, ALowerLimitDropsTheOldestAtOnce) {
  LeafCache cache(80 * kKiB);
  for (std::uint64_t i = 0; i < 20; ++i) cache.Insert({1, i, 0}, Leaf(kKiB));
  cache.SetLimit(10 * kKiB);
  EXPECT_LE(cache.size(), 10 * kKiB);
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
  EXPECT_NE(cache.Find({1, 19, 0}), nullptr);
}

TEST(LeafCacheTest, ALimitOfZeroKeepsNothing) {
  LeafCache cache(0);
  cache.Insert({1, 0, 0}, Leaf(0));
  EXPECT_EQ(cache.Find({1, 0, 0}), nullptr);
}

TEST(LeafCacheTest, ALeafInUseOutlivesItsPlace) {
  LeafCache cache(80 * kKiB);
  cache.Insert({1, 0, 0}, Leaf(kKiB, std::byte{9}));
  const auto leaf = cache.Find({1, 0, 0});
  cache.Clear();
  EXPECT_EQ(leaf->bytes, Bytes(kKiB, std::byte{9}));
}

TEST(LeafCacheTest, TheSharedOneIsOne) {
  EXPECT_EQ(&LeafCache::Shared(), &LeafCache::Shared());
}

TEST(LeafCacheTest, ThreadsGetTheLeafOfTheirKeyOrNone) {
  LeafCache cache(64 * kKiB);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread, &cache, &wrong] {
      std::mt19937 random(thread);
      for (int i = 0; i < 5000; ++i) {
        const LeafKey key{random() % 3, random() % 40, 0};
        const auto value = static_cast<std::byte>(key.array_id * 40 + key.chunk);
        if (const auto leaf = cache.Find(key)) {
          wrong += leaf->bytes[0] != value;
        } else {
          cache.Insert(key, Leaf(kKiB, value));
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

// --- memory of leaves that were dropped --------------------------------------------------------------------------

constexpr std::size_t kMiB = 1024 * kKiB;

TEST(LeafCacheTest, MemoryOfDroppedLeavesIsUsedAgain) {
  LeafCache cache(100 * kMiB);
  auto leaf = Leaf(kMiB);
  const std::byte* const memory = leaf->bytes.data();
  cache.Insert({1, 0, 0}, std::move(leaf));
  EXPECT_NE(cache.TakeBuffer(kMiB).data(), memory);
  cache.EraseArray(1);
  EXPECT_NE(cache.TakeBuffer(2 * kMiB).data(), memory);
  const Bytes again = cache.TakeBuffer(kMiB);
  EXPECT_EQ(again.data(), memory);
  EXPECT_EQ(again.size(), kMiB);
  EXPECT_EQ(cache.size(), 0u);
}

TEST(LeafCacheTest, MemoryThatIsStillReadIsNot) {
  LeafCache cache(100 * kMiB);
  cache.Insert({1, 0, 0}, Leaf(kMiB, std::byte{5}));
  const auto reader = cache.Find({1, 0, 0});
  cache.EraseArray(1);
  EXPECT_NE(cache.TakeBuffer(kMiB).data(), reader->bytes.data());
  EXPECT_EQ(reader->bytes, Bytes(kMiB, std::byte{5}));
}

TEST(LeafCacheTest, MemoryThatIsKeptCountsAndYieldsToLeaves) {
  LeafCache cache(16 * kMiB);
  for (std::uint64_t i = 0; i < 10; ++i) cache.Insert({1, i, 0}, Leaf(kMiB));
  cache.EraseArray(1);
  EXPECT_EQ(cache.size(), 10 * kMiB);
  for (std::uint64_t i = 0; i < 12; ++i) {
    cache.Insert({2, i, 0}, Leaf(kMiB));
    ASSERT_LE(cache.size(), cache.limit());
  }
  for (std::uint64_t i = 0; i < 12; ++i) EXPECT_NE(cache.Find({2, i, 0}), nullptr);
  cache.Clear();
  EXPECT_EQ(cache.size(), 0u);
  for (std::uint64_t i = 0; i < 10; ++i) cache.Insert({1, i, 0}, Leaf(kMiB));
  cache.EraseArray(1);
  cache.SetLimit(kMiB);
  EXPECT_LE(cache.size(), kMiB);
}

TEST(LeafCacheTest, NotMoreMemoryIsKeptThanIsOfUse) {
  LeafCache cache(1024 * kMiB);
  for (std::uint64_t i = 0; i < 100; ++i) cache.Insert({1, i, 0}, Leaf(kMiB));
  cache.EraseArray(1);
  EXPECT_EQ(cache.size(), 64 * kMiB);
  auto leaf = Leaf(2 * kMiB);
  const std::byte* const memory = leaf->bytes.data();
  cache.Insert({1, 0, 0}, std::move(leaf));
  cache.EraseArray(1);
  EXPECT_EQ(cache.size(), 64 * kMiB);
  EXPECT_EQ(cache.TakeBuffer(2 * kMiB).data(), memory);  // what was of use lately goes before what was long ago
}

}  // namespace
}  // namespace zarr
