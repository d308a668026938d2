// SPDX-License-Identifier: MIT
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <atomic>
#include <random>
#include <thread>

#include "autotest/cpp/support/read_shards_test_util.h"
#include "zarrlib/array/cache/shard_index_cache.h"

namespace zarr {
namespace {

using namespace test;

// --- reading -----------------------------------------------------------------------------------------------------

TEST(ShardReader, InnerChunksAreTheInnerChunks) {
  EXPECT_EQ(GetSmallestChunkShape(*ShardFixture().array), (Shape{3, 2}));
}

TEST(ShardReader, AgreesWithAModel) {
  const Shape shape{12, 17};
  const std::string transpose = R"({"name": "transpose", "configuration": {"order": [1, 0]}},)";
  const std::string inner_transposed = "[" + transpose + std::string(kCompressed).substr(1);
  const std::pair<std::string, const char*> arrays[] = {
      {Sharding("[3, 2]", kPlain), "[6, 8]"},
      {Sharding("[3, 2]", kCompressed, R"(, "index_location": "start")"), "[6, 8]"},
      {Sharding("[3, 2]", kCompressed), "[[9, 3], [2, [8, 2]]]"},
      {Sharding("[3, 2]", inner_transposed), "[6, 8]"},
      {transpose + Sharding("[2, 3]", kCompressed), "[6, 8]"},
      {Sharding("[6, 4]", "[" + Sharding("[3, 2]", kCompressed, R"(, "index_location": "start")") + "]"), "[12, 8]"},
      {Sharding("[6, 4]", "[" + transpose + Sharding("[2, 3]", kPlain) + "]"), "[12, 8]"},
      {Sharding("[3, 2]", kPlain) + R"(, {"name": "gzip", "configuration": {"level": 1}})", "[6, 8]"},
      {Sharding("[6, 4]", "[" + Sharding("[3, 2]", kPlain) + R"(, "crc32c"])"), "[12, 8]"},
  };
  std::mt19937 random(11);
  const auto pick = [&](std::uint64_t low, std::uint64_t high) { return low + random() % (high - low + 1); };
  for (const auto& [codecs, chunks] : arrays) {
    for (const std::size_t concurrency : {0, 32}) {
      const auto store = std::make_shared<CountingStore>(concurrency);
      const auto array = MakeArray(store, Metadata(shape, chunks, "[" + codecs + "]"));
      Write(store.get(), *array);
      for (int round = 0; round < 20; ++round) {
        Selection selection;
        for (const std::uint64_t length : shape) {
          selection.start.push_back(pick(0, length - 1));
          selection.step.push_back(pick(1, 3));
          selection.count.push_back(pick(1, (length - 1 - selection.start[selection.start.size() - 1]) /
                                                    selection.step[selection.step.size() - 1] +
                                                1));
        }
        ReadOptions options;
        options.threads = round % 2 == 0 ? 1 : 4;
        options.use_cache = round % 3 != 0;
        ASSERT_EQ(Read(*array, selection, options), Expected(shape, selection))
            << codecs << " in " << chunks << ": start " << ToString(selection.start) << " count "
            << ToString(selection.count) << " step " << ToString(selection.step);
      }
      ASSERT_EQ(Read(*array, WholeOf(*array)), Expected(shape, WholeOf(*array))) << codecs << " in " << chunks;
    }
  }
}

/// An elementwise codec before the sharding codec is undone for each inner chunk; others need the whole shard.
TEST(ShardReader, CodecsBeforeTheShards) {
  constexpr std::string_view kScale = R"({"name": "scale_offset", "configuration": {"offset": 5, "scale": 3}},)";
  constexpr std::string_view kTranspose = R"({"name": "transpose", "configuration": {"order": [1, 0]}},)";
  constexpr std::string_view kDelta = R"({"name": "numcodecs.delta", "configuration": {"dtype": "<i4"}},)";
  const std::tuple<std::string, Shape, int> pipelines[] = {
      {std::string(kScale) + Sharding("[3, 2]", kPlain), {3, 2}, 2},
      {std::string(kTranspose) + std::string(kScale) + Sharding("[2, 3]", kPlain), {3, 2}, 2},
      {std::string(kScale) + std::string(kScale) + Sharding("[3, 2]", kCompressed), {3, 2}, 2},
      {std::string(kScale) + std::string(kTranspose) + Sharding("[2, 3]", kPlain), {6, 8}, 1},
      {std::string(kDelta) + Sharding("[3, 2]", kPlain), {6, 8}, 1}};
  for (const auto& [codecs, inner_chunk_shape, reads] : pipelines) {
    const ShardFixture f(codecs);
    f.store->Erase("a/c/1/1");
    EXPECT_EQ(GetSmallestChunkShape(*f.array), inner_chunk_shape) << codecs;
    EXPECT_EQ(Read(*f.array, kOneInnerChunk), f.ExpectedOf(kOneInnerChunk)) << codecs;
    EXPECT_EQ(f.store->TakeReads(), reads) << codecs;
    const Selection region{{1, 1}, {3, 5}, {2, 2}};
    EXPECT_EQ(Read(*f.array, region), (f.ExpectedOf(region))) << codecs;
    EXPECT_EQ(Read(*f.array, Selection::FromBox({{11, 15}, {1, 1}})), (std::vector<std::int32_t>{-1})) << codecs;
  }
}

TEST(ShardReader, RankZero) {
  const ShardFixture f(Sharding("[]", kCompressed), {}, "[]");
  EXPECT_EQ(Read(*f.array, WholeOf(*f.array)), (std::vector<std::int32_t>{0}));
}

TEST(ShardReader, MissingShardsAndInnerChunksAreTheFillValue) {
  const ShardFixture f;
  f.store->Erase("a/c/0/1");
  // Inner chunk [1, 1] of shard [0, 0] holds only the fill value, so it is not stored.
  const ChunkRange range(f.array->metadata().chunk_grid, WholeOf(*f.array));
  std::vector<std::int32_t> chunk = ValuesOf<std::int32_t>(ChunkOf(*f.array, range.At(0)));
  std::vector<std::int32_t> expected = f.ExpectedOf(WholeOf(*f.array));
  for (std::size_t y = 0; y < 6; ++y) {
    for (std::size_t x = 8; x < 16; ++x) expected[y * 16 + x] = -1;
    for (std::size_t x = 2; x < 4 && y >= 3; ++x) expected[y * 16 + x] = chunk[y * 8 + x] = -1;
  }
  Bytes encoded;
  f.array->ResolveFor({6, 8})->Encode(BytesOf(chunk), &encoded);
  EXPECT_EQ(encoded.size(), 7u * 24 + 132);
  f.store->Set("a/c/0/0", encoded);
  EXPECT_EQ(Read(*f.array, WholeOf(*f.array)), expected);
  EXPECT_EQ(Read(*f.array, kOneInnerChunk), std::vector<std::int32_t>(6, -1));
}

// --- requests ----------------------------------------------------------------------------------------------------

TEST(ShardReader, ReadsTheIndexAndWhatIsNeeded) {
  const ShardFixture f;
  EXPECT_EQ(Read(*f.array, kOneInnerChunk), f.ExpectedOf(kOneInnerChunk));
  EXPECT_EQ(f.store->TakeReads(), 2);  // the index and the inner chunk
  EXPECT_EQ(Read(*f.array, kOneInnerChunk), f.ExpectedOf(kOneInnerChunk));
  EXPECT_EQ(f.store->TakeReads(), 0);
  const Selection other = Selection::FromBox({{0, 0}, {1, 1}});
  EXPECT_EQ(Read(*f.array, other), f.ExpectedOf(other));
  EXPECT_EQ(f.store->TakeReads(), 1);  // the index is known
}

TEST(ShardReader, NeighbouringInnerChunksAreOneRequest) {
  const ShardFixture f;
  const Selection shard = Selection::FromBox({{0, 0}, {6, 8}});
  EXPECT_EQ(Read(*f.array, shard), f.ExpectedOf(shard));
  EXPECT_EQ(f.store->TakeReads(), 2);
}

TEST(ShardReader, NestedIndicesAreReadOnce) {
  const ShardFixture f(Sharding("[6, 4]", "[" + Sharding("[3, 2]", kPlain) + "]"), {12, 16}, "[12, 8]");
  EXPECT_EQ(GetSmallestChunkShape(*f.array), (Shape{3, 2}));
  EXPECT_EQ(Read(*f.array, kOneInnerChunk), f.ExpectedOf(kOneInnerChunk));
  EXPECT_EQ(f.store->TakeReads(), 3);
  const Selection neighbour = Selection::FromBox({{0, 0}, {1, 1}});
  EXPECT_EQ(Read(*f.array, neighbour), f.ExpectedOf(neighbour));
  EXPECT_EQ(f.store->TakeReads(), 1);
}

TEST(ShardReader, GridsOfMoreThan64BitsOfChunksDoNotMixUpIndices) {
  constexpr std::uint64_t kLength = std::uint64_t{1} << 40;
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({kLength, kLength}, "[2, 1]", "[" + Sharding("[1, 1]", kPlain) + "]"));
  Bytes encoded;
  array->ResolveFor({2, 1})->Encode(BytesOf<std::int32_t>({1, 2}), &encoded);
  store->Set("a/c/0/0", encoded);
  array->ResolveFor({2, 1})->Encode(BytesOf<std::int32_t>({3, -1}), &encoded);
  store->Set("a/c/16777216/0", encoded);  // 2^24 * 2^40 is 0 in 64 bits
  EXPECT_EQ(Read(*array, Selection::FromBox({{0, 0}, {2, 1}})), (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(Read(*array, Selection::FromBox({{33554432, 0}, {2, 1}})), (std::vector<std::int32_t>{3, -1}));
}

// --- nested indices ----------------------------------------------------------------------------------------------

/// 64 shards of 64 x 64 inner chunks in one shard: each index has 64 KiB.
const std::string kNested = Sharding("[64, 64]", "[" + Sharding("[1, 1]", kPlain) + "]");

/// Selects one element of each nested shard.
Selection OneOfEach(std::uint64_t shards) {
  return {{0, 0}, {8 * shards, 8}, {64, 64}};
}

TEST(ShardReader, NestedIndicesCountInTheCache) {
  const ShardFixture fixture(kNested, {1024, 512}, "[512, 512]");
  const std::size_t before = ShardIndexCache::GetShared().size();
  EXPECT_EQ(Read(*fixture.array, OneOfEach(2)), fixture.ExpectedOf(OneOfEach(2)));
  const std::size_t counted = ShardIndexCache::GetShared().size() - before;
  EXPECT_GE(counted, 2u * 64 * 64 * 64 * 16);
  // The second time, the indices are known.
  fixture.store->TakeReads();
  const CacheLimit no_inner_chunks(0);
  EXPECT_EQ(Read(*fixture.array, OneOfEach(2)), fixture.ExpectedOf(OneOfEach(2)));
  EXPECT_EQ(ShardIndexCache::GetShared().size() - before, counted);
}

TEST(ShardReader, NestedIndicesOfOneShardAreBounded) {
  const ShardFixture fixture(Sharding("[256, 256]", "[" + Sharding("[1, 1]", kPlain) + "]"), {1024, 1024},
                             "[1024, 1024]");
  const std::size_t before = ShardIndexCache::GetShared().size();
  const Selection one_of_each{{0, 0}, {4, 4}, {256, 256}};
  EXPECT_EQ(Read(*fixture.array, one_of_each), fixture.ExpectedOf(one_of_each));  // shards of 1 MiB each
  EXPECT_LE(ShardIndexCache::GetShared().size() - before, 9u << 20);
}

#ifdef _WIN32

TEST(ShardReader, AChildOfAForkReadsNestedShardsThatOthersRead) {
  GTEST_SKIP() << "Windows has no forks";
}

#else

TEST(ShardReader, AChildOfAForkReadsNestedShardsThatOthersRead) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "at a fork, another thread may hold the mutexes of the sanitizer's own allocator";
#endif
  const ShardFixture fixture(kNested, {512, 512}, "[512, 512]");
  const std::vector<std::int32_t> expected = fixture.ExpectedOf(OneOfEach(1));
  EXPECT_EQ(Read(*fixture.array, OneOfEach(1)), expected);
  std::atomic<bool> stop = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      ReadOptions options;
      options.threads = 1;
      while (!stop) Read(*fixture.array, OneOfEach(1), options);
    });
  }
  int good = 0;
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(30);
      _exit(Read(*fixture.array, OneOfEach(1)) == expected ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    good += status == 0 ? 1 : 0;
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(good, 100);
}

#endif

// --- large shards ------------------------------------------------------------------------------------------------

TEST(ShardReader, ReadsShardsWithMoreInnerChunksThanArePlannedAtOnce) {
  const Shape shape{300, 301};
  const std::string transpose = R"({"name": "transpose", "configuration": {"order": [1, 0]}},)";
  for (const std::string& codecs : {Sharding("[1, 1]", kPlain), transpose + Sharding("[1, 1]", kCompressed),
                                    Sharding("[50, 20]", "[" + Sharding("[1, 2]", kPlain) + "]"),
                                    Sharding("[1, 1]", kPlain) + R"(, {"name": "gzip", "configuration": {"level": 1}})",
                                    Sharding("[50, 20]", "[" + Sharding("[1, 1]", kPlain) + R"(, "crc32c"])")}) {
    SCOPED_TRACE(codecs);
    const ShardFixture fixture(codecs, shape, "[300, 320]");
    for (const Selection& selection :
         {WholeOf(*fixture.array), Selection{{1, 2}, {149, 299}, {2, 1}}, Selection{{0, 0}, {300, 101}, {1, 3}}}) {
      ReadOptions options;
      std::vector<double> shares;
      options.progress = [&](double share) {
        shares.push_back(share);
        return true;
      };
      EXPECT_EQ(Read(*fixture.array, selection, options), fixture.ExpectedOf(selection));
      EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
      EXPECT_EQ(shares.back(), 1);
    }
  }
}

}  // namespace
}  // namespace zarr
