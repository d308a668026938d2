// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/read_shards_test_util.h"

namespace zarr {
namespace {

using namespace test;

/// A shard with an index of uint64 without a checksum, which tests can write by hand.
struct RawIndexFixture : ShardFixture {
  explicit RawIndexFixture(const std::string& location = "end")
      : ShardFixture(
            R"({"name": "sharding_indexed", "configuration": {"chunk_shape": [3, 2], "codecs": )" +
            std::string(kPlain) +
            R"(, "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}], "index_location": ")" +
            location + "\"}}") {}

  /// Sets the offset and length of an inner chunk of shard [0, 0].
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
  f.SetEntry(5, 0, 24);  // the range of inner chunk [0, 0]
  EXPECT_EQ(Read(*f.array, kOneInnerChunk), f.ExpectedOf(Selection::FromBox({{0, 0}, {3, 2}})));
  EXPECT_EQ(Read(*f.array, Selection::FromBox({{0, 0}, {6, 8}})).size(), 48u);
}

TEST(ShardReader, BrokenIndicesAreRefused) {
  for (const std::size_t size : {0, 10, 131}) {
    const ShardFixture f;
    f.store->Set("a/c/0/0", Bytes(size, std::byte{0}));
    const Error error = ErrorOf([&] { Read(*f.array, kOneInnerChunk); });
    EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << error.what();
    EXPECT_TRUE(std::string_view(error.what()).starts_with(f.store->name() + "/a/c/0/0: ")) << error.what();
  }
  const ShardFixture f;
  Bytes value = f.ValueOf("a/c/0/0");
  value[value.size() - 1] ^= std::byte{1};
  f.store->Set("a/c/0/0", value);
  ExpectError([&] { Read(*f.array, kOneInnerChunk); }, ErrorKind::kCorrupt, "", "/a/c/0/0: shard index: crc32c: ");
}

TEST(ShardReader, FailuresOfTheStoreStayWhatTheyAre) {
  const ShardFixture f;
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
              "at most 99 bytes (ZARR_MAX_CHUNK_SIZE), got 100");
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
  const ShardFixture f(Sharding("[1, 1]", kPlain), {300, 300}, "[75, 300]");
  EXPECT_EQ(Read(*f.array, WholeOf(*f.array)), f.ExpectedOf(WholeOf(*f.array)));
}

TEST(ShardReader, ProgressRisesToOneAndCanStop) {
  const ShardFixture f(Sharding("[1, 1]", kPlain), {40, 40}, "[4, 4]");
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

}  // namespace
}  // namespace zarr
