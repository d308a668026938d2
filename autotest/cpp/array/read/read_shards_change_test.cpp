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
  const std::vector<std::int32_t> expected = f.ExpectedOf(WholeOf(*f.array));
  std::size_t wrong = 0;
  for (begun = 1; begun <= kReads; ++begun) {
    const std::vector<std::int32_t> values = Read(*f.array, WholeOf(*f.array), options);
    for (std::size_t k = 0; k < values.size(); ++k) {
      wrong += values[k] != expected[k] && values[k] != expected[k] + 1000;
    }
  }
  EXPECT_EQ(wrong, 0U);
}

}  // namespace
}  // namespace zarr
