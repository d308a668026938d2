// SPDX-License-Identifier: MIT
#include <thread>

#include "autotest/cpp/support/array_test_util.h"

namespace zarr {
namespace {

using namespace test;

constexpr std::size_t kDefaultLimit = std::size_t{64} << 20;

struct CachedArray {
  CacheLimit limit{kDefaultLimit};
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  std::string metadata = Metadata({20, 20}, "[10, 10]", kCompressed);
  std::shared_ptr<const Array> array = MakeArray(store, metadata);

  CachedArray() { Write(store.get(), *array); }
};

const Selection kRegion = Selection::FromBox({{2, 2}, {3, 3}});

TEST(ArrayCache, AChunkIsReadOnce) {
  const CachedArray f;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Read(*f.array, kRegion), Expected({20, 20}, kRegion));
  const Selection other = Selection::FromBox({{5, 5}, {5, 5}});
  EXPECT_EQ(Read(*f.array, other), Expected({20, 20}, other));
  EXPECT_EQ(f.store->TakeReads(), 1);
}

TEST(ArrayCache, SmallWindowsKeepWhatTheyCoverWhole) {
  const CachedArray f;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Read(*f.array, WholeOf(*f.array)), Expected({20, 20}, WholeOf(*f.array)));
  EXPECT_EQ(f.store->TakeReads(), 4);
}

TEST(ArrayCache, LargeWindowsKeepOnlyWhatTheyCoverInPart) {
  const CachedArray f;
  const CacheLimit small(8 * 800);  // a chunk is 400 bytes; windows of more than 800 bytes are large
  const Selection window = Selection::FromBox({{0, 0}, {20, 15}});
  EXPECT_EQ(Read(*f.array, window), Expected({20, 20}, window));
  EXPECT_EQ(f.store->TakeReads(), 4);
  EXPECT_EQ(Read(*f.array, window), Expected({20, 20}, window));
  EXPECT_EQ(f.store->ReadsOf("a/c/0/0"), 1);
  EXPECT_EQ(f.store->ReadsOf("a/c/0/1"), 0);
  EXPECT_EQ(f.store->ReadsOf("a/c/1/1"), 0);
}

TEST(ArrayCache, CanBeLeftAlone) {
  const CachedArray f;
  ReadOptions options;
  options.use_cache = false;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Read(*f.array, kRegion, options), Expected({20, 20}, kRegion));
  EXPECT_EQ(f.store->TakeReads(), 3);
  Read(*f.array, kRegion);
  EXPECT_EQ(f.store->TakeReads(), 1);
}

TEST(ArrayCache, OfNoBytesKeepsNothing) {
  const CachedArray f;
  const CacheLimit none(0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Read(*f.array, kRegion), Expected({20, 20}, kRegion));
  EXPECT_EQ(f.store->TakeReads(), 3);
}

TEST(ArrayCache, MissingChunksAreNotKept) {
  const CachedArray f;
  f.store->Erase("a/c/0/0");
  EXPECT_EQ(Read(*f.array, kRegion), std::vector<std::int32_t>(9, -1));
  Write(f.store.get(), *f.array);
  EXPECT_EQ(Read(*f.array, kRegion), Expected({20, 20}, kRegion));
}

TEST(ArrayCache, HandlesOfOneArrayShareChunks) {
  const CachedArray f;
  Read(*f.array, kRegion);
  const auto other = MakeArray(f.store, f.metadata);
  EXPECT_EQ(other->id(), f.array->id());
  EXPECT_EQ(Read(*other, kRegion), Expected({20, 20}, kRegion));
  EXPECT_EQ(f.store->TakeReads(), 1);
}

TEST(ArrayCache, ArraysOfOtherPathsStoresOrMetadataDoNot) {
  const CachedArray f;
  EXPECT_NE(MakeArray(f.store, f.metadata, "b")->id(), f.array->id());
  EXPECT_NE(MakeArray(std::make_shared<CountingStore>(), f.metadata)->id(), f.array->id());
  EXPECT_NE(MakeArray(f.store, Metadata({20, 21}, "[10, 10]", kCompressed))->id(), f.array->id());
}

TEST(ArrayCache, ReopeningAfterTheLastCloseSeesNewBytes) {
  CachedArray f;
  Read(*f.array, kRegion);
  const std::uint64_t id = f.array->id();
  f.store->Erase("a/c/0/0");
  EXPECT_EQ(Read(*f.array, kRegion), Expected({20, 20}, kRegion));  // still the old snapshot
  f.array = nullptr;
  f.array = MakeArray(f.store, f.metadata);
  EXPECT_NE(f.array->id(), id);
  EXPECT_EQ(Read(*f.array, kRegion), std::vector<std::int32_t>(9, -1));
}

TEST(ArrayCache, ChunksGoWithTheLastHandle) {
  const CacheLimit limit(kDefaultLimit);
  ChunkCache::GetShared().Clear();
  {
    const CachedArray f;
    Read(*f.array, kRegion);
    EXPECT_GT(ChunkCache::GetShared().size(), 0u);
  }
  EXPECT_EQ(ChunkCache::GetShared().size(), 0u);
}

TEST(ArrayCache, ChunksOfRectilinearGridsAreToldApart) {
  const CacheLimit limit(kDefaultLimit);
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({26, 38}, "[[16, 10], [24, 14]]", kCompressed));
  Write(store.get(), *array);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Read(*array, WholeOf(*array)), Expected({26, 38}, WholeOf(*array)));
  EXPECT_EQ(store->TakeReads(), 4);
}

TEST(ArrayCache, TransposedChunksAreKeptAsTheyAreStored) {
  const CacheLimit limit(kDefaultLimit);
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({6, 8}, "[3, 4]", R"([{"name": "transpose", "configuration":
      {"order": [1, 0]}}, {"name": "bytes", "configuration": {"endian": "little"}}])"));
  Write(store.get(), *array);
  const Selection region{{1, 1}, {2, 3}, {2, 2}};
  for (int i = 0; i < 2; ++i) EXPECT_EQ(Read(*array, region), Expected({6, 8}, region));
  EXPECT_EQ(store->TakeReads(), 4);
}

// --- progress ----------------------------------------------------------------------------------------------------

TEST(ArrayProgress, RisesToOneOnTheCallingThread) {
  for (const std::size_t threads : {1, 4}) {
    const CachedArray f;
    std::vector<double> shares;
    ReadOptions options;
    options.threads = threads;
    options.progress = [&, caller = std::this_thread::get_id()](double share) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      shares.push_back(share);
      return true;
    };
    EXPECT_EQ(Read(*f.array, WholeOf(*f.array), options), Expected({20, 20}, WholeOf(*f.array)));
    ASSERT_FALSE(shares.empty());
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_EQ(shares.back(), 1.0);
  }
}

TEST(ArrayProgress, CanStopTheRead) {
  for (const std::size_t threads : {1, 4}) {
    const CacheLimit limit(kDefaultLimit);
    const auto store = std::make_shared<CountingStore>();
    const auto array = MakeArray(store, Metadata({1000}, "[1]", kPlain));
    store->OnRead([](const std::string&) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
    ReadOptions options;
    options.threads = threads;
    int calls = 0;
    options.progress = [&](double) { return ++calls < 3; };
    std::vector<std::int32_t> values(1000);
    EXPECT_FALSE(array->Read(WholeOf(*array), {reinterpret_cast<std::byte*>(values.data()), {4}, nullptr}, options));
    EXPECT_EQ(calls, 3);
    EXPECT_LT(store->TakeReads(), 1000);
  }
}

}  // namespace
}  // namespace zarr
