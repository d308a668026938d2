// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/pending_chunks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <new>
#include <thread>

#include "autotest/cpp/support/chunk_encoder_test_util.h"
#include "autotest/cpp/support/failing_allocations.h"

namespace zarr {
namespace {

using Lease = PendingChunks::Lease;
using Keys = std::vector<std::string>;

/// Lets a chunk wait that takes some bytes.
void Put(PendingChunks* chunks, const std::string& key, std::size_t bytes = 10, bool complete = false) {
  Lease lease = chunks->Take(key);
  lease->bytes = bytes;
  lease.Keep(true, complete);
}

/// Reads from a chunk that waits.
void LookAt(PendingChunks* chunks, const std::string& key) {
  Lease lease = chunks->TakePending(key);
  ASSERT_TRUE(lease);
  lease.Keep(false);
}

Keys KeysOf(const std::vector<Lease>& leases) {
  Keys keys;
  for (const Lease& lease : leases) keys.push_back(lease->key);
  return keys;
}

/// The keys in the order in which room would be made.
Keys OrderOf(PendingChunks* chunks) {
  std::vector<Lease> all = chunks->TakeExcess(0);
  Keys keys = KeysOf(all);
  // Those that are given back unwritten go to the front, the last one of them foremost.
  while (!all.empty()) {
    all.back().Keep(false);
    all.pop_back();
  }
  return keys;
}

TEST(PendingChunks, GivesAnEmptyChunkIfNothingWaits) {
  PendingChunks chunks;
  EXPECT_TRUE(chunks.empty());
  EXPECT_FALSE(chunks.TakePending("a"));
  EXPECT_TRUE(chunks.empty());
  const Lease lease = chunks.Take("a");
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->key, "a");
  EXPECT_TRUE(lease->inner_chunks.empty());
  EXPECT_NE(lease->stock, nullptr);
  EXPECT_FALSE(chunks.empty());
}

TEST(PendingChunks, GivesTheChunkThatWaits) {
  PendingChunks chunks;
  Put(&chunks, "a", 11);
  Put(&chunks, "b", 22);
  EXPECT_EQ(chunks.Take("a")->bytes, 11u);
  EXPECT_EQ(chunks.TakePending("b")->bytes, 22u);
}

TEST(PendingChunks, ForgetsChunksThatAreNotKept) {
  PendingChunks chunks;
  Put(&chunks, "a");
  { const Lease lease = chunks.TakePending("a"); }
  EXPECT_TRUE(chunks.empty());
  EXPECT_EQ(chunks.bytes(), 0u);
  EXPECT_FALSE(chunks.TakePending("a"));
  Put(&chunks, "a");
  Lease kept = chunks.TakePending("a");
  kept.Keep(true);
  kept.Drop();
  EXPECT_FALSE(kept);
  EXPECT_TRUE(chunks.empty());
}

TEST(PendingChunks, MovesItsHolds) {
  PendingChunks chunks;
  Put(&chunks, "a");
  Put(&chunks, "b");
  Lease first = chunks.TakePending("a");
  first.Keep(true);
  Lease second = std::move(first);
  EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): it holds nothing now
  EXPECT_EQ(second->key, "a");
  EXPECT_EQ(chunks.GetPendingKeys(), Keys{"b"});
  second = chunks.TakePending("b");  // which lets the other one go, as it was told
  EXPECT_EQ(second->key, "b");
  EXPECT_EQ(chunks.GetPendingKeys(), Keys{"a"});
}

TEST(PendingChunks, MakesRoomByThoseWrittenToLeastRecently) {
  PendingChunks chunks;
  for (const char* key : {"a", "b", "c", "d"}) Put(&chunks, key);
  EXPECT_EQ(OrderOf(&chunks), (Keys{"a", "b", "c", "d"}));
  Put(&chunks, "b");
  EXPECT_EQ(OrderOf(&chunks), (Keys{"a", "c", "d", "b"}));
  LookAt(&chunks, "d");
  EXPECT_EQ(OrderOf(&chunks), (Keys{"d", "a", "c", "b"})) << "what is only read does not become younger";
}

TEST(PendingChunks, MakesNoMoreRoomThanNeeded) {
  PendingChunks chunks;
  for (const char* key : {"a", "b", "c"}) Put(&chunks, key);
  EXPECT_TRUE(chunks.TakeExcess(30).empty());
  EXPECT_EQ(KeysOf(chunks.TakeExcess(20)), Keys{"a"});
  EXPECT_EQ(chunks.bytes(), 20u);
  EXPECT_EQ(KeysOf(chunks.TakeExcess(9)), (Keys{"b", "c"}));
  EXPECT_TRUE(chunks.empty());
  EXPECT_TRUE(chunks.TakeExcess(0).empty());
}

TEST(PendingChunks, MakesNoRoomByThoseThatAreHeld) {
  PendingChunks chunks;
  Put(&chunks, "a");
  Put(&chunks, "b");
  Lease held = chunks.TakePending("a");
  EXPECT_EQ(KeysOf(chunks.TakeExcess(0)), Keys{"b"});
  held.Keep(true);
  held.Release();
  EXPECT_EQ(chunks.GetPendingKeys(), Keys{"a"});
}

TEST(PendingChunks, GivesCompleteOnesIfThereAreEnough) {
  PendingChunks chunks;
  Put(&chunks, "a", 10, true);
  Put(&chunks, "b", 10, false);
  Put(&chunks, "c", 10, true);
  EXPECT_TRUE(chunks.TakeComplete(3).empty());
  EXPECT_EQ(chunks.GetPendingKeys().size(), 3u);
  EXPECT_EQ(KeysOf(chunks.TakeComplete(2)), (Keys{"a", "c"}));
  EXPECT_EQ(chunks.GetPendingKeys(), Keys{"b"});
  EXPECT_TRUE(chunks.TakeComplete(1).empty());
}

TEST(PendingChunks, CountsCompleteOnesThatAreNotHeld) {
  PendingChunks chunks;
  Put(&chunks, "a", 10, true);
  Put(&chunks, "b", 10, true);
  Lease held = chunks.TakePending("a");
  EXPECT_TRUE(chunks.TakeComplete(2).empty());
  held.Keep(true, true);
  held.Release();
  EXPECT_EQ(chunks.TakeComplete(2).size(), 2u);
  Put(&chunks, "c", 10, true);
  Put(&chunks, "c", 10, false);  // a chunk that is no longer complete
  EXPECT_TRUE(chunks.TakeComplete(1).empty());
}

TEST(PendingChunks, ListsKeysByTheirPlaceInTheGrid) {
  PendingChunks chunks;
  const std::pair<std::string, Shape> all[] = {{"x/10/0", {10, 0}}, {"x/9/11", {9, 11}}, {"x/9/2", {9, 2}}};
  for (const auto& [key, index] : all) {
    Lease lease = chunks.Take(key);
    lease->grid_index = index;
    lease.Keep(true);
  }
  EXPECT_EQ(chunks.GetPendingKeys(), (Keys{"x/9/2", "x/9/11", "x/10/0"}));
}

TEST(PendingChunks, CountsBytesForItselfAndForTheProcess) {
  const std::size_t before = PendingBytes::GetProcessTotal();
  {
    PendingChunks chunks;
    Put(&chunks, "a", 100);
    Put(&chunks, "b", 20);
    EXPECT_EQ(chunks.bytes(), 120u);
    Put(&chunks, "a", 30);  // it has become smaller
    EXPECT_EQ(chunks.bytes(), 50u);
    PendingChunks others;
    Put(&others, "a", 7);
    EXPECT_EQ(chunks.bytes(), 50u);
    EXPECT_EQ(PendingBytes::GetProcessTotal(), before + 57);
    chunks.TakePending("a").Drop();
    EXPECT_EQ(chunks.bytes(), 20u);
  }
  EXPECT_EQ(PendingBytes::GetProcessTotal(), before);
}

TEST(PendingChunks, DropsAllOnceItIsClosed) {
  PendingChunks chunks;
  Put(&chunks, "a", 10, true);
  Put(&chunks, "b");
  Lease held = chunks.TakePending("b");
  chunks.Close();
  EXPECT_FALSE(chunks.TakePending("a"));
  EXPECT_EQ(chunks.GetPendingKeys(), Keys());
  held.Keep(true, true);
  held.Release();
  EXPECT_TRUE(chunks.empty());
  EXPECT_EQ(chunks.bytes(), 0u);
  Put(&chunks, "c");
  EXPECT_TRUE(chunks.empty());
  EXPECT_TRUE(chunks.TakeComplete(0).empty());
  EXPECT_TRUE(chunks.TakeExcess(0).empty());
}

// --- threads ------------------------------------------------------------------------------------------------------

TEST(PendingChunks, WaitsForTheHolder) {
  PendingChunks chunks;
  Put(&chunks, "a", 1);
  Lease held = chunks.TakePending("a");
  std::atomic<bool> taken{false};
  std::size_t seen = 0;
  std::thread other([&] {
    Lease lease = chunks.TakePending("a");
    taken = true;
    seen = lease->bytes;
    lease.Keep(true);
  });
  { const Lease another = chunks.Take("b"); }  // nobody waits for that
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(taken);
  held->bytes = 5;
  held.Keep(true);
  held.Release();
  other.join();
  EXPECT_EQ(seen, 5u);
}

TEST(PendingChunks, GivesWhoWaitedNothingOfWhatWasDropped) {
  PendingChunks chunks;
  Put(&chunks, "a", 1);
  Lease held = chunks.TakePending("a");
  bool found = true;
  std::thread other([&] { found = static_cast<bool>(chunks.TakePending("a")); });
  std::thread taker([&] {
    Lease lease = chunks.Take("a");
    EXPECT_EQ(lease->bytes, 0u) << "a new chunk";
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  held.Drop();
  taker.join();
  other.join();
  EXPECT_TRUE(chunks.empty() || found);
}

TEST(PendingChunks, LetsOneThreadAtATimeUseAChunk) {
  PendingChunks chunks;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&chunks, thread] {
      for (int i = 0; i < 500; ++i) {
        const std::string key = std::to_string((i + thread) % 3);
        Lease lease = chunks.Take(key);
        lease->ready.push_back(1);  // a data race if two held it
        lease->bytes = lease->ready.size();
        lease.Keep(true);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(chunks.bytes(), 2000u);
  std::size_t sum = 0;
  for (const Lease& lease : chunks.TakeExcess(0)) sum += lease->ready.size();
  EXPECT_EQ(sum, 2000u);
  EXPECT_EQ(chunks.bytes(), 0u);
}

// --- a chunk ------------------------------------------------------------------------------------------------------

TEST(PendingChunk, KnowsWhatTheArrayHasOfItsInnerChunks) {
  PendingChunk chunk;
  chunk.codec = std::make_shared<const ChunkEncoder>(test::OctetEncoder({6, 8}, test::ShardedCodecs("[2, 4]")));
  chunk.live = {6, 8};
  EXPECT_EQ(chunk.live_inner_chunks(), 6u);
  EXPECT_EQ(chunk.GetLiveShape({2, 1}), (Shape{2, 4}));
  chunk.live = {3, 5};
  EXPECT_EQ(chunk.live_inner_chunks(), 4u);
  EXPECT_EQ(chunk.GetLiveShape({0, 0}), (Shape{2, 4}));
  EXPECT_EQ(chunk.GetLiveShape({1, 1}), (Shape{1, 1}));
  chunk.live = {2, 4};
  EXPECT_EQ(chunk.live_inner_chunks(), 1u);
}

TEST(PendingChunks, LeaveNothingBehindThatNoMemoryIsLeftFor) {
  bool enough = false;
  for (int allocations = 0; !enough; ++allocations) {
    PendingChunks chunks;
    enough = test::SucceedsWithin(allocations, [&] { chunks.Take("a").Drop(); });
    EXPECT_FALSE(chunks.TakePending("a"));
    EXPECT_TRUE(chunks.empty());
  }
}

TEST(PendingChunks, AreLeasedToNobodyIfNoMemoryIsLeft) {
  bool enough = false;
  for (int allocations = 0; !enough; ++allocations) {
    PendingChunks chunks;
    for (const char* key : {"a", "b", "c"}) Put(&chunks, key);
    std::vector<Lease> excess;
    enough = test::SucceedsWithin(allocations, [&] { excess = chunks.TakeExcess(10); });
    for (Lease& lease : excess) lease.Keep(false);
    excess.clear();
    EXPECT_EQ(OrderOf(&chunks).size(), 3u);
    for (const char* key : {"a", "b", "c"}) LookAt(&chunks, key);
  }
}

TEST(PendingChunks, AreLostIfAnExceptionEndsALease) {
  PendingChunks chunks;
  Put(&chunks, "a");
  Put(&chunks, "b");
  try {
    Lease lease = chunks.Take("a");
    lease.Keep(true);  // its elements may be half written all the same
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
    EXPECT_TRUE(chunks.lost());
    EXPECT_TRUE(chunks.empty());
    EXPECT_FALSE(chunks.TakePending("b"));
    Put(&chunks, "c");  // by another thread
    EXPECT_TRUE(chunks.empty());
  }
}

/// Uses a lease when it is destroyed.
struct Putter {
  ~Putter() { Put(chunks, "a"); }
  PendingChunks* chunks;
};

TEST(PendingChunks, AreNotLostIfALeaseBeginsAndEndsOnTheWayOfAnException) {
  PendingChunks chunks;
  try {
    const Putter putter{&chunks};
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
    EXPECT_FALSE(chunks.lost());
    LookAt(&chunks, "a");
  }
}

}  // namespace
}  // namespace zarr
