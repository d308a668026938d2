// SPDX-License-Identifier: MIT
#include "driver/io/block_size.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/array_writer_test_util.h"

namespace gdal_zarr {
namespace {

using namespace zarr::test;

/// GDAL's block cache, for as long as this lives.
class BlockCache {
 public:
  explicit BlockCache(GIntBig size) : old_(GDALGetCacheMax64()) { GDALSetCacheMax64(size); }
  ~BlockCache() { GDALSetCacheMax64(old_); }
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

 private:
  GIntBig old_;
};

constexpr GIntBig kGiB = GIntBig{1} << 30;

/// "x*y" of the blocks of an array of rows and columns.
std::string BlocksOf(const zarr::Shape& shape, std::string_view chunk_shapes, std::size_t item_size = 1,
                     std::string_view codecs = kPlain) {
  const auto array = MakeArray(std::make_shared<CountingStore>(), Metadata(shape, chunk_shapes, codecs));
  const BlockSize block = ChooseBlockSize(*array, shape.size() - 1, shape.size() > 1 ? shape.size() - 2 : 1, item_size);
  return std::to_string(block.x) + "*" + std::to_string(block.y);
}

TEST(BlockSize, IsThatOfAChunk) {
  const BlockCache cache(10 * kGiB);
  EXPECT_EQ(BlocksOf({1000, 2000}, "[100, 300]"), "300*100");
  EXPECT_EQ(BlocksOf({7, 1000, 2000}, "[7, 64, 5]"), "5*64");
}

TEST(BlockSize, IsThatOfAnInnerChunk) {
  const BlockCache cache(10 * kGiB);
  EXPECT_EQ(BlocksOf({1024, 2048}, "[512, 1024]", 1, "[" + Sharding("[128, 256]", kPlain) + "]"), "256*128");
}

TEST(BlockSize, IsNoLargerThanTheRaster) {
  const BlockCache cache(10 * kGiB);
  EXPECT_EQ(BlocksOf({100, 90}, "[512, 512]"), "90*100");
  EXPECT_EQ(BlocksOf({1, 1}, "[512, 512]"), "1*1");
  EXPECT_EQ(BlocksOf({5, 7}, "[2, 2]"), "7*5");
}

TEST(BlockSize, DoublesSmallChunks) {
  const BlockCache cache(10 * kGiB);
  EXPECT_EQ(BlocksOf({1000, 1000}, "[10, 10]"), "80*80");
  EXPECT_EQ(BlocksOf({1000, 1000}, "[63, 63]"), "126*126");
  EXPECT_EQ(BlocksOf({1000, 1000}, "[64, 1]"), "1*64") << "one edge is long enough";
  EXPECT_EQ(BlocksOf({1000, 1000}, "[40, 1]"), "2*80");
  EXPECT_EQ(BlocksOf({20, 1000}, "[10, 10]"), "80*20");
}

TEST(BlockSize, HalvesLargeChunks) {
  const BlockCache cache(100 * kGiB);
  EXPECT_EQ(BlocksOf({8192, 8192}, "[8192, 8192]"), "8192*8192") << "64 MiB";
  EXPECT_EQ(BlocksOf({8192, 8193}, "[8192, 8193]"), "4097*8192");
  EXPECT_EQ(BlocksOf({8192, 8192}, "[8192, 8192]", 8), "2048*4096");
  EXPECT_EQ(BlocksOf({2, 1000000000}, "[2, 1000000000]"), "31250000*2");
}

TEST(BlockSize, IsAHundredthOfTheCache) {
  const BlockCache cache(100 * 1024 * 1024);
  EXPECT_EQ(BlocksOf({4096, 4096}, "[1024, 1024]"), "1024*1024");
  EXPECT_EQ(BlocksOf({4096, 4096}, "[1024, 1024]", 2), "512*1024");
}

TEST(BlockSize, HasALeastSizeHoweverSmallTheCacheIs) {
  const BlockCache cache(1);
  EXPECT_EQ(BlocksOf({4096, 4096}, "[1024, 1024]"), "64*64");
}

TEST(BlockSize, IsThatOfOneRowWithoutAYAxis) {
  const BlockCache cache(10 * kGiB);
  EXPECT_EQ(BlocksOf({1000}, "[100]"), "100*1");
  EXPECT_EQ(BlocksOf({1000}, "[10]"), "80*1");
  const auto scalar = MakeArray(std::make_shared<CountingStore>(), Metadata({}, "[]", kPlain));
  const BlockSize block = ChooseBlockSize(*scalar, 0, 0, 4);
  EXPECT_EQ(block.x, 1);
  EXPECT_EQ(block.y, 1);
}

TEST(BlockSize, IsAtLeastOneOfAnEmptyArray) {
  const BlockCache cache(10 * kGiB);
  EXPECT_EQ(BlocksOf({0, 1000}, "[100, 100]"), "100*1");
  EXPECT_EQ(BlocksOf({1000, 0}, "[100, 100]"), "1*100");
  EXPECT_EQ(BlocksOf({0, 0}, "[10, 10]"), "1*1");
}

TEST(BlockSize, IsThePrevailingEdgeWhereEdgesDiffer) {
  const BlockCache cache(10 * kGiB);
  EXPECT_EQ(BlocksOf({1000, 1000}, "[[[100, 3], 700], [300, 500, 200]]"), "500*700");
  EXPECT_EQ(BlocksOf({1000, 1000}, "[[[10, 100]], [[3, 300], 100]]"), "64*10");
  EXPECT_EQ(BlocksOf({10000, 10000}, "[[9000, 1000], [9000, 1000]]"), "2048*2048");
}

TEST(PrevailingEdge, CoversTheMostElements) {
  const auto edge_of = [](std::uint64_t extent, std::string_view edges) {
    const auto array = MakeArray(std::make_shared<CountingStore>(), Metadata({extent}, edges, kPlain));
    return FindPrevailingEdge(array->metadata().chunk_grid.axis(0));
  };
  EXPECT_EQ(edge_of(100, "[[[10, 5], 50]]"), 50u) << "the longest of several";
  EXPECT_EQ(edge_of(101, "[[[10, 6], 41]]"), 10u);
  EXPECT_EQ(edge_of(100, "[[30, 10, 30, 20, 10]]"), 30u) << "wherever they are";
  EXPECT_EQ(edge_of(65, "[[[10, 4], 1000]]"), 10u) << "what the array has of a chunk counts";
  EXPECT_EQ(edge_of(1000, "[64]"), 64u);
  EXPECT_EQ(edge_of(0, "[64]"), 1u);
}

}  // namespace
}  // namespace gdal_zarr
