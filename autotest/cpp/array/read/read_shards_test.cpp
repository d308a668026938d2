#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <random>
#include <thread>

#include "autotest/cpp/support/array_test_util.h"
#include "zarrlib/array/cache/shard_index_cache.h"

namespace zarr {
namespace {

using namespace test;

std::string Sharding(std::string_view chunk_shape, std::string_view codecs, std::string_view more = "") {
  return R"({"name": "sharding_indexed", "configuration": {"chunk_shape": )" + std::string(chunk_shape) +
         R"(, "codecs": )" + std::string(codecs) +
         R"(, "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"])" +
         std::string(more) + "}}";
}

/// Shards of 6 x 8 with inner chunks of 3 x 2: 8 inner chunks of 24 bytes each if uncompressed, and an index of 132
/// bytes.
struct Fixture {
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  std::string metadata;
  std::shared_ptr<const Array> array;

  explicit Fixture(const std::string& sharding = Sharding("[3, 2]", kPlain), const Shape& shape = {12, 16},
                   std::string_view chunks = "[6, 8]")
      : metadata(Metadata(shape, chunks, "[" + sharding + "]")), array(MakeArray(store, metadata)) {
    Write(store.get(), *array);
  }
  std::vector<std::int32_t> ExpectedOf(const Selection& selection) const { return Expected(array->shape(), selection); }
  Bytes ValueOf(std::string_view key) const {
    Bytes value;
    EXPECT_TRUE(store->Get(key, &value, nullptr, UINT64_MAX));
    store->TakeReads();
    return value;
  }
};

const Selection kOneInnerChunk = Selection::FromBox({{3, 2}, {3, 2}});

// --- reading -----------------------------------------------------------------------------------------------------

TEST(ShardReader, InnerChunksAreTheInnerChunks) {
  EXPECT_EQ(Fixture().array->smallest_chunk_shape(), (Shape{3, 2}));
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

/// Codecs before the shards that take each element on its own are undone inner chunk by inner chunk; others need the
/// whole shard.
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
    const Fixture f(codecs);
    f.store->Erase("a/c/1/1");
    EXPECT_EQ(f.array->smallest_chunk_shape(), inner_chunk_shape) << codecs;
    EXPECT_EQ(Read(*f.array, kOneInnerChunk), f.ExpectedOf(kOneInnerChunk)) << codecs;
    EXPECT_EQ(f.store->TakeReads(), reads) << codecs;
    const Selection region{{1, 1}, {3, 5}, {2, 2}};
    EXPECT_EQ(Read(*f.array, region), (f.ExpectedOf(region))) << codecs;
    EXPECT_EQ(Read(*f.array, Selection::FromBox({{11, 15}, {1, 1}})), (std::vector<std::int32_t>{-1})) << codecs;
  }
}

TEST(ShardReader, RankZero) {
  const Fixture f(Sharding("[]", kCompressed), {}, "[]");
  EXPECT_EQ(Read(*f.array, WholeOf(*f.array)), (std::vector<std::int32_t>{0}));
}

TEST(ShardReader, MissingShardsAndInnerChunksAreTheFillValue) {
  const Fixture f;
  f.store->Erase("a/c/0/1");
  // Inner chunk [1, 1] of shard [0, 0] is all fill value, and hence not stored when the shard is written.
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
  const Fixture f;
  EXPECT_EQ(Read(*f.array, kOneInnerChunk), f.ExpectedOf(kOneInnerChunk));
  EXPECT_EQ(f.store->TakeReads(), 2);  // the index and the inner chunk
  EXPECT_EQ(Read(*f.array, kOneInnerChunk), f.ExpectedOf(kOneInnerChunk));
  EXPECT_EQ(f.store->TakeReads(), 0);
  const Selection other = Selection::FromBox({{0, 0}, {1, 1}});
  EXPECT_EQ(Read(*f.array, other), f.ExpectedOf(other));
  EXPECT_EQ(f.store->TakeReads(), 1);  // the index is known
}

TEST(ShardReader, NeighbouringInnerChunksAreOneRequest) {
  const Fixture f;
  const Selection shard = Selection::FromBox({{0, 0}, {6, 8}});
  EXPECT_EQ(Read(*f.array, shard), f.ExpectedOf(shard));
  EXPECT_EQ(f.store->TakeReads(), 2);
}

TEST(ShardReader, NestedIndicesAreReadOnce) {
  const Fixture f(Sharding("[6, 4]", "[" + Sharding("[3, 2]", kPlain) + "]"), {12, 16}, "[12, 8]");
  EXPECT_EQ(f.array->smallest_chunk_shape(), (Shape{3, 2}));
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

// --- values that change ------------------------------------------------------------------------------------------

/// Sets or erases `key` before its `n`-th read.
void ChangeAt(CountingStore* store, const std::string& key, int n, const std::optional<Bytes>& value) {
  auto reads = std::make_shared<std::atomic<int>>(0);
  store->OnRead([=](const std::string& read) {
    if (read != key || ++*reads != n) return;
    if (value) {
      store->Set(key, *value);
    } else {
      store->Erase(key);
    }
  });
}

/// What Write stores for shard [0, 0], each element increased.
Bytes OtherShard(const Array& array, std::int32_t difference) {
  const ChunkRange range(array.metadata().chunk_grid, WholeOf(array));
  const ChunkOverlap overlap = range.At(0);
  std::vector<std::int32_t> chunk = ValuesOf<std::int32_t>(ChunkOf(array, overlap));
  for (std::int32_t& value : chunk) value += difference;
  Bytes encoded;
  array.ResolveFor(overlap.encoded_shape)->Encode(BytesOf(chunk), &encoded);
  return encoded;
}

/// Flat, with the index at either end, and nested.
std::vector<std::string> Shardings() {
  return {Sharding("[3, 2]", kCompressed), Sharding("[3, 2]", kCompressed, R"(, "index_location": "start")"),
          Sharding("[6, 4]", "[" + Sharding("[3, 2]", kCompressed) + "]")};
}

bool IsNested(const std::string& sharding) {
  return sharding.find("sharding_indexed") != sharding.rfind("sharding_indexed");
}

TEST(ShardReader, AShardReplacedWhileItIsReadIsReadAnew) {
  for (const std::string& sharding : Shardings()) {
    for (int read = 2; read <= 3; ++read) {
      const Fixture f(sharding);
      ChangeAt(f.store.get(), "a/c/0/0", read, OtherShard(*f.array, 1000000));
      std::vector<std::int32_t> expected = f.ExpectedOf(kOneInnerChunk);
      const bool changed = read == 2 || IsNested(sharding);
      if (changed) {
        for (std::int32_t& value : expected) value += 1000000;
      }
      EXPECT_EQ(Read(*f.array, kOneInnerChunk), expected) << sharding << " at read " << read;
    }
  }
}

TEST(ShardReader, AShardErasedWhileItIsReadIsTheFillValue) {
  for (const std::string& sharding : Shardings()) {
    const Fixture f(sharding);
    ChangeAt(f.store.get(), "a/c/0/0", 2, std::nullopt);
    EXPECT_EQ(Read(*f.array, kOneInnerChunk), std::vector<std::int32_t>(6, -1)) << sharding;
  }
}

TEST(ShardReader, AChunkThatVanishesWithItsShardIsTheFillValue) {
  for (const std::string& sharding : Shardings()) {
    const Fixture f(sharding);
    Bytes all_fill;
    f.array->ResolveFor({6, 8})->Encode(BytesOf(std::vector<std::int32_t>(48, -1)), &all_fill);
    const bool nested = IsNested(sharding);
    ChangeAt(f.store.get(), "a/c/0/0", nested ? 3 : 2, all_fill);
    EXPECT_EQ(Read(*f.array, kOneInnerChunk), std::vector<std::int32_t>(6, -1)) << sharding;
  }
}

TEST(ShardReader, AnIndexThatIsOutOfDateIsReadAnew) {
  const Fixture f;
  ReadOptions options;
  options.use_cache = false;
  EXPECT_EQ(Read(*f.array, kOneInnerChunk, options), f.ExpectedOf(kOneInnerChunk));
  f.store->Set("a/c/0/0", OtherShard(*f.array, 7));
  std::vector<std::int32_t> expected = f.ExpectedOf(kOneInnerChunk);
  for (std::int32_t& value : expected) value += 7;
  EXPECT_EQ(Read(*f.array, kOneInnerChunk, options), expected);
}

TEST(ShardReader, AShardThatChangesAllTheTimeIsAnError) {
  for (const std::string& sharding : Shardings()) {
    const Fixture f(sharding);
    const Bytes value = f.ValueOf("a/c/0/0");
    f.store->OnRead([&](const std::string& key) { f.store->Set(key, value); });
    ExpectError([&] { Read(*f.array, kOneInnerChunk); }, ErrorKind::kIo, "",
                f.store->name() + "/a/c/0/0: the value changes all the time");
  }
}

TEST(ShardReader, ThreadsReadWhatOthersReplace) {
  const Fixture f;
  const Bytes old = f.ValueOf("a/c/0/0");
  const Bytes other = OtherShard(*f.array, 1000);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; !done; ++i) {
      f.store->Set("a/c/0/0", i % 2 == 0 ? other : old);
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  });
  ReadOptions options;
  options.use_cache = false;
  options.threads = 4;
  const std::vector<std::int32_t> expected = f.ExpectedOf(WholeOf(*f.array));
  for (int i = 0; i < 200; ++i) {
    const std::vector<std::int32_t> values = Read(*f.array, WholeOf(*f.array), options);
    for (std::size_t k = 0; k < values.size(); ++k) {
      ASSERT_TRUE(values[k] == expected[k] || values[k] == expected[k] + 1000) << k;
    }
  }
  done = true;
  writer.join();
}

// --- errors ------------------------------------------------------------------------------------------------------

/// A shard whose index, of uint64 without a checksum, can be written by hand.
struct RawIndexFixture : Fixture {
  explicit RawIndexFixture(const std::string& location = "end")
      : Fixture(R"({"name": "sharding_indexed", "configuration": {"chunk_shape": [3, 2], "codecs": )" +
                std::string(kPlain) +
                R"(, "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "index_location": ")" +
                location + "\"}}") {}

  /// Sets offset and length of an inner chunk of shard [0, 0].
  void SetEntry(std::size_t inner_chunk, std::uint64_t offset, std::uint64_t length, bool at_start = false) {
    Bytes value = ValueOf("a/c/0/0");
    std::byte* entry = value.data() + (at_start ? 0 : value.size() - 128) + 16 * inner_chunk;
    WriteLittleEndian(entry, offset);
    WriteLittleEndian(entry + 8, length);
    store->Set("a/c/0/0", value);
  }
};

TEST(ShardReader, RangesBeyondTheValueAreRefused) {
  const std::pair<std::uint64_t, std::uint64_t> wrong[] = {
      {1000000, 24}, {UINT64_MAX - 49, 100}, {0, std::uint64_t{1} << 62}, {320, 24}, {UINT64_MAX, 24}, {0, UINT64_MAX}};
  for (const bool at_start : {false, true}) {
    for (const auto& [offset, length] : wrong) {
      RawIndexFixture f(at_start ? "start" : "end");
      f.SetEntry(5, offset, length, at_start);  // inner chunk [1, 1]
      const Error error = ErrorOf([&] { Read(*f.array, kOneInnerChunk); });
      EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
      EXPECT_TRUE(std::string_view(error.what()).starts_with(f.store->name() + "/a/c/0/0: ")) << error.what();
      EXPECT_TRUE(std::string_view(error.what()).ends_with("(chunk [0,0])")) << error.what();
      const Selection other = Selection::FromBox({{0, 0}, {3, 2}});
      EXPECT_EQ(Read(*f.array, other), f.ExpectedOf(other));
    }
  }
}

TEST(ShardReader, ChunksOfAnotherSizeAreRefused) {
  for (const std::uint64_t length : {0, 23, 25}) {
    RawIndexFixture f;
    f.SetEntry(5, 24, length);
    const Error error = ErrorOf([&] { Read(*f.array, kOneInnerChunk); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt);
    EXPECT_NE(error.message().find("expected 24 bytes, got " + std::to_string(length)), std::string::npos)
        << error.what();
  }
}

TEST(ShardReader, InnerChunksMayShareBytes) {
  RawIndexFixture f;
  f.SetEntry(5, 0, 24);  // those of inner chunk [0, 0]
  EXPECT_EQ(Read(*f.array, kOneInnerChunk), f.ExpectedOf(Selection::FromBox({{0, 0}, {3, 2}})));
  EXPECT_EQ(Read(*f.array, Selection::FromBox({{0, 0}, {6, 8}})).size(), 48u);
}

TEST(ShardReader, BrokenIndicesAreRefused) {
  for (const std::size_t size : {0, 10, 131}) {
    const Fixture f;
    f.store->Set("a/c/0/0", Bytes(size, std::byte{0}));
    const Error error = ErrorOf([&] { Read(*f.array, kOneInnerChunk); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with(f.store->name() + "/a/c/0/0: ")) << error.what();
  }
  const Fixture f;
  Bytes value = f.ValueOf("a/c/0/0");
  value[value.size() - 1] ^= std::byte{1};
  f.store->Set("a/c/0/0", value);
  ExpectError([&] { Read(*f.array, kOneInnerChunk); }, ErrorKind::kCorrupt, "", "/a/c/0/0: shard index: crc32c: ");
}

TEST(ShardReader, FailuresOfTheStoreStayWhatTheyAre) {
  const Fixture f;
  f.store->FailAt("a/c/1/0");
  const Error error = ErrorOf([&] { Read(*f.array, WholeOf(*f.array)); });
  EXPECT_EQ(error.kind(), ErrorKind::kIo);
  EXPECT_EQ(std::string(error.what()), f.store->name() + "/a/c/1/0: HTTP 500");
}

TEST(ShardReader, StoredChunksBeyondTheLimitAreRefused) {
  RawIndexFixture f;
  f.SetEntry(5, 0, 100);
  ReadOptions options;
  options.max_chunk_bytes = 99;
  ExpectError([&] { Read(*f.array, kOneInnerChunk, options); }, ErrorKind::kLimitExceeded, "",
              "at most 99 bytes, got 100");
}

TEST(ShardReader, ReadsThatFindNothingCanBeStoppedToo) {
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata({1000, 1000}, "[2, 2]", "[" + Sharding("[1, 1]", kPlain) + "]"));
  ReadOptions options;
  options.threads = 1;
  int calls = 0;
  options.progress = [&](double) { return ++calls < 10; };
  std::vector<std::int32_t> values(1000000);
  const Destination destination{reinterpret_cast<std::byte*>(values.data()), {4000, 4}, nullptr};
  EXPECT_FALSE(array->Read(WholeOf(*array), destination, options));
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(store->TakeReads(), 10);
  double last = 0;
  options.progress = [&](double share) {
    EXPECT_GE(share, last);
    last = share;
    return true;
  };
  EXPECT_TRUE(array->Read(WholeOf(*array), destination, options));
  EXPECT_EQ(last, 1.0);
  EXPECT_EQ(values, std::vector<std::int32_t>(1000000, -1));
}

TEST(ShardReader, ManyInnerChunksOfManyShardsAreReadInBatches) {
  const Fixture f(Sharding("[1, 1]", kPlain), {300, 300}, "[75, 300]");
  EXPECT_EQ(Read(*f.array, WholeOf(*f.array)), f.ExpectedOf(WholeOf(*f.array)));
}

TEST(ShardReader, ProgressRisesToOneAndCanStop) {
  const Fixture f(Sharding("[1, 1]", kPlain), {40, 40}, "[4, 4]");
  std::vector<double> shares;
  ReadOptions options;
  options.threads = 2;
  options.progress = [&](double share) {
    shares.push_back(share);
    return true;
  };
  EXPECT_EQ(Read(*f.array, WholeOf(*f.array), options), f.ExpectedOf(WholeOf(*f.array)));
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1.0);
  options.progress = [](double) { return false; };
  std::vector<std::int32_t> values(1600);
  EXPECT_FALSE(
      f.array->Read(WholeOf(*f.array), {reinterpret_cast<std::byte*>(values.data()), {160, 4}, nullptr}, options));
}

// --- nested indices ----------------------------------------------------------------------------------------------

/// 64 shards of 64 x 64 inner chunks in one shard: each index has 64 KiB.
const std::string kNested = Sharding("[64, 64]", "[" + Sharding("[1, 1]", kPlain) + "]");

/// One element of each nested shard.
Selection OneOfEach(std::uint64_t shards) {
  return {{0, 0}, {8 * shards, 8}, {64, 64}};
}

TEST(ShardReader, NestedIndicesCountInTheCache) {
  const Fixture fixture(kNested, {1024, 512}, "[512, 512]");
  const std::size_t before = ShardIndexCache::GetShared().size();
  EXPECT_EQ(Read(*fixture.array, OneOfEach(2)), fixture.ExpectedOf(OneOfEach(2)));
  const std::size_t counted = ShardIndexCache::GetShared().size() - before;
  EXPECT_GE(counted, 2u * 64 * 64 * 64 * 16);
  // Once more, they are there.
  fixture.store->TakeReads();
  const CacheLimit no_inner_chunks(0);
  EXPECT_EQ(Read(*fixture.array, OneOfEach(2)), fixture.ExpectedOf(OneOfEach(2)));
  EXPECT_EQ(ShardIndexCache::GetShared().size() - before, counted);
}

TEST(ShardReader, NestedIndicesOfOneShardAreBounded) {
  const Fixture fixture(Sharding("[256, 256]", "[" + Sharding("[1, 1]", kPlain) + "]"), {1024, 1024}, "[1024, 1024]");
  const std::size_t before = ShardIndexCache::GetShared().size();
  const Selection one_of_each{{0, 0}, {4, 4}, {256, 256}};
  EXPECT_EQ(Read(*fixture.array, one_of_each), fixture.ExpectedOf(one_of_each));  // of 1 MiB each
  EXPECT_LE(ShardIndexCache::GetShared().size() - before, 9u << 20);
}

TEST(ShardReader, AChildOfAForkReadsNestedShardsThatOthersRead) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "at a fork, another thread may hold the mutexes of the sanitizer's own allocator";
#endif
  const Fixture fixture(kNested, {512, 512}, "[512, 512]");
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

// --- large shards ------------------------------------------------------------------------------------------------

TEST(ShardReader, ReadsShardsWithMoreInnerChunksThanArePlannedAtOnce) {
  const Shape shape{300, 301};
  const std::string transpose = R"({"name": "transpose", "configuration": {"order": [1, 0]}},)";
  for (const std::string& codecs : {Sharding("[1, 1]", kPlain), transpose + Sharding("[1, 1]", kCompressed),
                                    Sharding("[50, 20]", "[" + Sharding("[1, 2]", kPlain) + "]"),
                                    Sharding("[1, 1]", kPlain) + R"(, {"name": "gzip", "configuration": {"level": 1}})",
                                    Sharding("[50, 20]", "[" + Sharding("[1, 1]", kPlain) + R"(, "crc32c"])")}) {
    SCOPED_TRACE(codecs);
    const Fixture fixture(codecs, shape, "[300, 320]");
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
