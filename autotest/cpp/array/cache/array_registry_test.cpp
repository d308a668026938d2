// SPDX-License-Identifier: MIT
#include "zarrlib/array/cache/array_registry.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "autotest/cpp/support/cache_test_util.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/array/cache/shard_index_cache.h"

namespace zarr {
namespace {

using Identity = std::shared_ptr<const ArrayIdentity>;

/// Puts a chunk, and a shard, of the array into the caches of the process.
void FillCaches(const ArrayIdentity& identity) {
  ChunkCache::GetShared().Insert({identity.id(), 0, 0}, test::MakeChunk(10));
  const auto shard = test::ShardOf(100);
  const auto& generation = identity.place().generation();
  ShardIndexCache::GetShared().Insert({identity.id(), 0, 0}, shard, generation, generation.load());
}

/// Whether the caches have both, or neither.
bool AreFilled(std::uint64_t id) {
  const bool has_chunk = ChunkCache::GetShared().Find({id, 0, 0}) != nullptr;
  EXPECT_EQ(has_chunk, ShardIndexCache::GetShared().Find({id, 0, 0}) != nullptr);
  return has_chunk;
}

TEST(ArrayIdentity, IsTheSameForAllHandlesThatAreOpen) {
  const Identity first = ArrayIdentity::Get("registry1", "a/b", 1);
  EXPECT_EQ(ArrayIdentity::Get("registry1", "a/b", 1), first);
  EXPECT_NE(ArrayIdentity::Get("registry2", "a/b", 1), first);
  EXPECT_NE(ArrayIdentity::Get("registry1", "a/c", 1), first);
  EXPECT_NE(ArrayIdentity::Get("registry1", "a", 1), first);
}

TEST(ArrayIdentity, IsAnotherForOtherMetadataAtTheSamePlace) {
  const Identity first = ArrayIdentity::Get("registry1", "a", 1);
  const Identity second = ArrayIdentity::Get("registry1", "a", 2);
  EXPECT_NE(first->id(), second->id());
  EXPECT_EQ(&first->place(), &second->place());
  EXPECT_NE(&first->place(), &ArrayIdentity::Get("registry1", "b", 1)->place());
}

TEST(ArrayIdentity, IsTheSameForAnArrayThatIsAStoreOfItsOwn) {
  const Identity in_group = ArrayIdentity::Get("registry1", "group/a", 1);
  EXPECT_EQ(ArrayIdentity::Get("registry1/group", "a", 1), in_group);
  EXPECT_EQ(ArrayIdentity::Get("registry1/group/a", "", 1), in_group);
}

TEST(ArrayIdentity, HasAnIdThatIsNeverUsedTwice) {
  std::set<std::uint64_t> ids;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(ids.insert(ArrayIdentity::Get("registry1", "a", 1)->id()).second);
  EXPECT_FALSE(ids.contains(0));
}

TEST(ArrayIdentity, TakesItsChunksOutOfTheCachesWhenItGoes) {
  Identity first = ArrayIdentity::Get("registry1", "a", 1);
  const Identity other = ArrayIdentity::Get("registry1", "a", 2);
  const std::uint64_t id = first->id();
  FillCaches(*first);
  FillCaches(*other);
  Identity again = ArrayIdentity::Get("registry1", "a", 1);
  first = nullptr;
  EXPECT_TRUE(AreFilled(id)) << "another handle is open";
  again = nullptr;
  EXPECT_FALSE(AreFilled(id));
  EXPECT_TRUE(AreFilled(other->id()));
}

TEST(ArrayIdentity, ForgetsAnArrayAndThoseBelowIt) {
  const Identity forgotten[] = {ArrayIdentity::Get("registry1", "a", 1), ArrayIdentity::Get("registry1", "a", 2),
                                ArrayIdentity::Get("registry1", "a/b", 1), ArrayIdentity::Get("registry1/a/b", "c", 1)};
  const Identity kept[] = {ArrayIdentity::Get("registry1", "ab", 1), ArrayIdentity::Get("registry1", "", 1),
                           ArrayIdentity::Get("registry12", "a", 1), ArrayIdentity::Get("registry2", "a", 1)};
  for (const auto& identity : forgotten) FillCaches(*identity);
  for (const auto& identity : kept) FillCaches(*identity);
  const std::uint64_t before = forgotten[0]->place().generation();
  ArrayIdentity::Forget("registry1", "a");
  for (const auto& identity : forgotten) EXPECT_FALSE(AreFilled(identity->id())) << identity->id();
  for (const auto& identity : kept) EXPECT_TRUE(AreFilled(identity->id())) << identity->id();
  EXPECT_GT(forgotten[0]->place().generation(), before) << "what was read before must not come after";
  EXPECT_EQ(kept[0]->place().generation(), 0u);
}

TEST(ArrayIdentity, ForgetsAWholeStore) {
  const Identity identity = ArrayIdentity::Get("registry1", "a/b", 1);
  const Identity other = ArrayIdentity::Get("registry12", "a/b", 1);
  FillCaches(*identity);
  FillCaches(*other);
  ArrayIdentity::Forget("registry1", "");
  EXPECT_FALSE(AreFilled(identity->id()));
  EXPECT_TRUE(AreFilled(other->id()));
  ArrayIdentity::Forget("a store that nobody has open", "a");
}

TEST(ArrayIdentity, IsOneForThreadsThatOpenAtOnce) {
  for (int round = 0; round < 50; ++round) {
    Identity identities[4];
    std::vector<std::thread> threads;
    for (Identity& identity : identities) {
      threads.emplace_back([&identity] { identity = ArrayIdentity::Get("registry1", "a", 1); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Identity& identity : identities) ASSERT_EQ(identity, identities[0]);
    // The others, which were made in vain, have left no trace.
    EXPECT_EQ(identities[0]->place().FindNext(0), identities[0]->id());
    EXPECT_EQ(identities[0]->place().FindNext(identities[0]->id()), std::nullopt);
  }
}

TEST(ArrayPlace, CountsChangesUp) {
  ArrayPlace place;
  EXPECT_EQ(place.generation(), 0u);
  place.Advance();
  place.Advance();
  EXPECT_EQ(place.generation(), 2u);
}

TEST(ArrayPlace, GoesThroughItsIdsInOrder) {
  ArrayPlace place;
  EXPECT_EQ(place.FindNext(0), std::nullopt);
  for (const std::uint64_t id : {7, 3, 5}) place.Add(id);
  EXPECT_EQ(place.FindNext(0), 3u);
  EXPECT_EQ(place.FindNext(3), 5u);
  EXPECT_EQ(place.FindNext(4), 5u);
  EXPECT_EQ(place.FindNext(5), 7u);
  EXPECT_EQ(place.FindNext(7), std::nullopt);
  place.Remove(5);
  EXPECT_EQ(place.FindNext(3), 7u);
  place.Remove(5);
  EXPECT_EQ(place.FindNext(0), 3u);
}

TEST(ArrayPlace, IsThatOfTheSnapshotsThatAreOpen) {
  Identity first = ArrayIdentity::Get("registry1", "a", 1);
  const Identity second = ArrayIdentity::Get("registry1", "a", 2);
  const ArrayPlace& place = second->place();
  EXPECT_EQ(place.FindNext(0), first->id());
  EXPECT_EQ(place.FindNext(first->id()), second->id());
  first = nullptr;
  EXPECT_EQ(place.FindNext(0), second->id());
}

}  // namespace
}  // namespace zarr
