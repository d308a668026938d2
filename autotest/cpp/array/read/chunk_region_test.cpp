// SPDX-License-Identifier: MIT
#include <algorithm>
#include <random>

#include "autotest/cpp/support/array_test_util.h"
#include "zarrlib/codec/codec_registry.h"

// Reads of small regions of large chunks, and the ranges of chunks that the cache keeps.

namespace zarr {
namespace {

using namespace test;

const std::string kBlosc = std::string(kNative.substr(0, kNative.size() - 1)) +
                           R"(, {"name": "blosc", "configuration": {"cname": "zstd", "clevel": 5, "shuffle": "shuffle",
                                 "typesize": 4, "blocksize": 4096}}])";

bool HasBlosc() {
  const std::vector<std::string> names = ListCodecNames();
  return std::find(names.begin(), names.end(), "blosc") != names.end();
}

struct WideArray {
  CacheLimit limit{std::size_t{64} << 20};
  std::shared_ptr<CountingStore> store = std::make_shared<CountingStore>();
  Shape shape{256, 256};
  std::shared_ptr<const Array> array;

  explicit WideArray(std::string_view codecs, std::string_view chunks = "[128, 128]")
      : array(MakeArray(store, Metadata(shape, chunks, codecs))) {
    Write(store.get(), *array);
  }
  void ExpectRead(const Selection& selection, const ReadOptions& options = {}) const {
    EXPECT_EQ(Read(*array, selection, options), Expected(shape, selection));
  }
};

Selection Pixel(std::uint64_t y, std::uint64_t x) {
  return Selection::FromBox({{y, x}, {1, 1}});
}

std::size_t CachedBytes(const WideArray& f, const Selection& selection) {
  ChunkCache::GetShared().Clear();
  const std::size_t before = ChunkCache::GetShared().size();
  f.ExpectRead(selection);
  return ChunkCache::GetShared().size() - before;
}

TEST(ChunkRegionTest, OfBloscIsDecodedByBlocks) {
  if (!HasBlosc()) GTEST_SKIP() << "blosc is not in this build";
  const WideArray f(kBlosc);
  EXPECT_LT(CachedBytes(f, Pixel(3, 4)), 128u * 128 * 2);
  EXPECT_EQ(f.store->TakeReads(), 1);
  f.ExpectRead(Pixel(4, 5));  // in the same block of Blosc
  EXPECT_EQ(f.store->TakeReads(), 0);
}

TEST(ChunkRegionTest, OfAChunkThatIsReadAgainAllIsDecoded) {
  if (!HasBlosc()) GTEST_SKIP() << "blosc is not in this build";
  const WideArray f(kBlosc);
  f.ExpectRead(Pixel(0, 0));
  f.ExpectRead(Pixel(127, 127));
  EXPECT_EQ(f.store->TakeReads(), 2);
  for (std::uint64_t i = 0; i < 128; i += 7) f.ExpectRead(Pixel(i, 127 - i));
  EXPECT_EQ(f.store->TakeReads(), 0);
}

TEST(ChunkRegionTest, OfStoredElementsIsReadAlone) {
  const WideArray f(kNative);
  EXPECT_LT(CachedBytes(f, Selection::FromBox({{3, 4}, {8, 8}})), 128u * 4 * 10);
  f.ExpectRead(Selection::FromBox({{3, 4}, {8, 8}}));
  EXPECT_EQ(f.store->TakeReads(), 1);
}

TEST(ChunkRegionTest, OfStoredElementsChecksTheSize) {
  const WideArray f(kPlain);
  f.store->Set("a/c/0/0", Bytes(128 * 128 * 4 + 1));
  std::int32_t value = 0;
  const Destination destination{reinterpret_cast<std::byte*>(&value), {4, 4}, nullptr};
  EXPECT_THROW(f.array->Read(Pixel(0, 0), destination), Error);
  f.store->Set("a/c/0/0", Bytes(100));
  EXPECT_THROW(f.array->Read(Pixel(100, 0), destination), Error);
}

TEST(ChunkRegionTest, AgreesWithTheWholeWhateverIsCached) {
  std::mt19937 random(11);
  for (const std::string_view codecs : {std::string_view(kBlosc), kPlain}) {
    if (codecs == kBlosc && !HasBlosc()) continue;
    const WideArray f(codecs);
    for (int i = 0; i < 400; ++i) {
      if (i % 20 == 0) ChunkCache::GetShared().Clear();
      Selection selection =
          Selection::FromBox({{random() % 200, random() % 200}, {1 + random() % 20, 1 + random() % 20}});
      selection.step = {1 + random() % 2, 1 + random() % 2};
      ReadOptions options;
      options.use_cache = i % 3 != 0;
      f.ExpectRead(selection, options);
    }
  }
}

TEST(ChunkRegionTest, WhatIsMissingIsTheFillValue) {
  const WideArray f(kPlain);
  f.store->Erase("a/c/0/0");
  EXPECT_EQ(Read(*f.array, Pixel(5, 5)), std::vector<std::int32_t>{-1});
}

TEST(ChunkRegionTest, AWalkKeepsNothingUntilItIsRepeated) {
  const Shape shape{1024, 1024};
  CacheLimit limit{std::size_t{64} << 20};
  const auto store = std::make_shared<CountingStore>();
  const auto array = MakeArray(store, Metadata(shape, "[512, 512]", kPlain));
  Write(store.get(), *array);
  ChunkCache::GetShared().Clear();
  for (const int reads : {4, 4, 0}) {
    EXPECT_EQ(Read(*array, WholeOf(*array)), Expected(shape, WholeOf(*array)));
    EXPECT_EQ(store->TakeReads(), reads);
  }
}

TEST(ChunkRegionTest, ReadingAheadFillsTheCacheAlone) {
  const WideArray f(kCompressed);
  ReadOptions ahead;
  ahead.read_ahead = true;
  EXPECT_TRUE(f.array->Read(WholeOf(*f.array), {nullptr, {0, 0}, nullptr}, ahead));
  EXPECT_EQ(f.store->TakeReads(), 4);
  f.ExpectRead(WholeOf(*f.array));
  f.ExpectRead(Selection::FromBox({{100, 100}, {60, 60}}));
  EXPECT_EQ(f.store->TakeReads(), 0);
}

}  // namespace
}  // namespace zarr
