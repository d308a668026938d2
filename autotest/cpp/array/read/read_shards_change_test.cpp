// SPDX-License-Identifier: MIT
#include <atomic>
#include <thread>

#include "autotest/cpp/support/read_shards_test_util.h"

namespace zarr {
namespace {

using namespace test;

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

/// The bytes that Write stores for shard [0, 0], but with `difference` added to each element.
Bytes OtherShard(const Array& array, std::int32_t difference) {
  const ChunkRange range(array.metadata().chunk_grid, WholeOf(array));
  const ChunkOverlap overlap = range.At(0);
  std::vector<std::int32_t> chunk = ValuesOf<std::int32_t>(ChunkOf(array, overlap));
  for (std::int32_t& value : chunk) value += difference;
  Bytes encoded;
  array.ResolveFor(overlap.encoded_shape)->Encode(BytesOf(chunk), &encoded);
  return encoded;
}

/// Configurations without nesting, with the index at either end, and with nested shards.
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
      const ShardFixture f(sharding);
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
    const ShardFixture f(sharding);
    ChangeAt(f.store.get(), "a/c/0/0", 2, std::nullopt);
    EXPECT_EQ(Read(*f.array, kOneInnerChunk), std::vector<std::int32_t>(6, -1)) << sharding;
  }
}

TEST(ShardReader, AChunkThatVanishesWithItsShardIsTheFillValue) {
  for (const std::string& sharding : Shardings()) {
    const ShardFixture f(sharding);
    Bytes all_fill;
    f.array->ResolveFor({6, 8})->Encode(BytesOf(std::vector<std::int32_t>(48, -1)), &all_fill);
    const bool nested = IsNested(sharding);
    ChangeAt(f.store.get(), "a/c/0/0", nested ? 3 : 2, all_fill);
    EXPECT_EQ(Read(*f.array, kOneInnerChunk), std::vector<std::int32_t>(6, -1)) << sharding;
  }
}

TEST(ShardReader, AnIndexThatIsOutOfDateIsReadAnew) {
  const ShardFixture f;
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
    const ShardFixture f(sharding);
    const Bytes value = f.ValueOf("a/c/0/0");
    f.store->OnRead([&](const std::string& key) { f.store->Set(key, value); });
    ExpectError([&] { Read(*f.array, kOneInnerChunk); }, ErrorKind::kIo, "",
                f.store->name() + "/a/c/0/0: the value changes all the time");
  }
}

std::vector<std::int32_t> Added(std::vector<std::int32_t> values, std::int32_t difference) {
  for (std::int32_t& value : values) value += difference;
  return values;
}

TEST(ShardReader, FillsAreOfTheVersionOfTheValues) {
  const ShardFixture f;
  const Selection shard = Selection::FromBox({{0, 0}, {6, 8}});
  // In the old version, inner chunk [1, 1] is absent.
  std::vector<std::int32_t> old = f.ExpectedOf(shard);
  for (std::size_t row = 3; row < 6; ++row) {
    for (std::size_t column = 2; column < 4; ++column) old[row * 8 + column] = -1;
  }
  Bytes encoded;
  f.array->ResolveFor({6, 8})->Encode(BytesOf(old), &encoded);
  f.store->Set("a/c/0/0", encoded);
  EXPECT_EQ(Read(*f.array, shard), old);
  ChunkCache::GetShared().Clear();
  f.store->Set("a/c/0/0", OtherShard(*f.array, 1000));
  EXPECT_EQ(Read(*f.array, shard), Added(f.ExpectedOf(shard), 1000));
}

/// A shard whose inner chunks are so large that each takes a request of its own.
struct LargeInnerChunks : ShardFixture {
  LargeInnerChunks() : ShardFixture(Sharding("[128, 256]", kPlain), {512, 256}, "[512, 256]") {}
};

TEST(ShardReader, AllInnerChunksAreOfOneVersion) {
  const LargeInnerChunks f;
  ReadOptions options;
  options.threads = 1;
  const Selection shard = WholeOf(*f.array);
  const Selection second = Selection::FromBox({{128, 0}, {128, 256}});
  EXPECT_EQ(Read(*f.array, second, options), f.ExpectedOf(second));  // which is now in the cache
  f.store->Set("a/c/0/0", OtherShard(*f.array, 1000));
  f.store->TakeReads();
  EXPECT_EQ(Read(*f.array, shard, options), Added(f.ExpectedOf(shard), 1000));
  EXPECT_EQ(f.store->TakeReads(), 1 + 1 + 4) << "one that fails, the index, and all inner chunks";
}

TEST(ShardReader, AShardReplacedAmidItsInnerChunksIsReadAnew) {
  for (int read = 2; read <= 5; ++read) {
    const LargeInnerChunks f;
    ReadOptions options;
    options.threads = 1;
    ChangeAt(f.store.get(), "a/c/0/0", read, OtherShard(*f.array, 1000));
    const Selection shard = WholeOf(*f.array);
    EXPECT_EQ(Read(*f.array, shard, options), Added(f.ExpectedOf(shard), 1000)) << read;
  }
}

TEST(ShardReader, AShardOfManyPiecesIsOfOneVersion) {
  for (int read = 2; read <= 5; ++read) {
    const ShardFixture f(Sharding("[1, 1]", kPlain), {256, 256}, "[256, 256]");
    ChangeAt(f.store.get(), "a/c/0/0", read, OtherShard(*f.array, 100000));
    const std::vector<std::int32_t> values = Read(*f.array, WholeOf(*f.array));
    const std::int32_t difference = values[0] - f.ExpectedOf(WholeOf(*f.array))[0];
    EXPECT_EQ(values, Added(f.ExpectedOf(WholeOf(*f.array)), difference)) << read;
    EXPECT_EQ(difference, 100000) << read;
  }
}

TEST(ShardReader, AShardThatAppearsBetweenPiecesIsOfOneVersion) {
  const ShardFixture f(Sharding("[1, 1]", kPlain), {256, 256}, "[256, 256]");
  const Bytes value = f.ValueOf("a/c/0/0");
  f.store->Erase("a/c/0/0");
  ChangeAt(f.store.get(), "a/c/0/0", 2, value);
  EXPECT_EQ(Read(*f.array, WholeOf(*f.array)), std::vector<std::int32_t>(65536, -1));
}

TEST(ShardReader, ThreadsReadWhatOthersReplace) {
  const ShardFixture f;
  const Bytes old = f.ValueOf("a/c/0/0");
  const Bytes other = OtherShard(*f.array, 1000);
  constexpr int kReads = 200;
  std::atomic<int> begun = 0;
  // Replaces the shard once in each read, at another moment: a shard that changes all the time is an error.
  std::jthread writer([&](const std::stop_token& stop) {
    for (int i = 0; i < kReads; ++i) {
      while (begun <= i && !stop.stop_requested()) std::this_thread::yield();
      std::this_thread::sleep_for(std::chrono::microseconds(20 * (i % 20)));
      f.store->Set("a/c/0/0", i % 2 == 0 ? other : old);
    }
  });
  ReadOptions options;
  options.use_cache = false;
  options.threads = 4;
  const Selection shard = Selection::FromBox({{0, 0}, {6, 8}});
  const std::vector<std::int32_t> expected = f.ExpectedOf(shard);
  std::size_t wrong = 0;
  for (begun = 1; begun <= kReads; ++begun) {
    const std::vector<std::int32_t> values = Read(*f.array, shard, options);
    const std::int32_t difference = values[0] - expected[0];
    wrong += difference != 0 && difference != 1000;
    for (std::size_t k = 0; k < values.size(); ++k) wrong += values[k] != expected[k] + difference;
  }
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace zarr
