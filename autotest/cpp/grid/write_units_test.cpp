// SPDX-License-Identifier: MIT
#include "zarrlib/grid/write_units.h"

#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

using test::Json;
using Units = std::vector<std::string>;

ChunkGrid RectilinearWithoutKind(const Shape& array_shape, std::string_view chunk_shapes) {
  return ChunkGrid::FromV3(array_shape, Json(R"({"name": "rectilinear", "configuration": {"chunk_shapes": )" +
                                             std::string(chunk_shapes) + "}}"));
}

/// Describes each unit by its start and count, with a "p" for partial ones.
Units ListUnits(WriteUnits units) {
  Units texts;
  while (units.Next()) {
    texts.push_back(ToString(units.box().origin) + ToString(units.box().shape) + (units.partial() ? "p" : ""));
  }
  return texts;
}

Units ListUnits(const ChunkGrid& grid, const Shape& array_shape) {
  return ListUnits(WriteUnits(grid, {Shape(array_shape.size(), 0), array_shape}));
}

TEST(WriteUnits, AreTheChunksInCOrderCutAtTheEndOfTheArray) {
  const Shape shape{5, 4};
  EXPECT_EQ(ListUnits(ChunkGrid::MakeRegular(shape, {3, 2}), shape),
            (Units{"[0,0][3,2]", "[0,2][3,2]", "[3,0][2,2]", "[3,2][2,2]"}));
  EXPECT_EQ(ListUnits(ChunkGrid::MakeRegular({5}, {100}), {5}), Units{"[0][5]"});
}

TEST(WriteUnits, HaveTheEdgesOfARectilinearGrid) {
  EXPECT_EQ(ListUnits(RectilinearWithoutKind({6, 3}, "[[1, [2, 2], 7], 3]"), {6, 3}),
            (Units{"[0,0][1,3]", "[1,0][2,3]", "[3,0][2,3]", "[5,0][1,3]"}));
  // Chunks that are declared beyond the array's end have no elements.
  EXPECT_EQ(ListUnits(RectilinearWithoutKind({3}, "[[1, 2, 4, 4]]"), {3}), (Units{"[0][1]", "[1][2]"}));
}

TEST(WriteUnits, AreCutToTheRegion) {
  const ChunkGrid grid = ChunkGrid::MakeRegular({10, 10}, {4, 4});
  EXPECT_EQ(ListUnits(WriteUnits(grid, {{2, 4}, {6, 6}})),
            (Units{"[2,4][2,4]p", "[2,8][2,2]p", "[4,4][4,4]", "[4,8][4,2]"}));
  EXPECT_EQ(ListUnits(WriteUnits(grid, {{5, 5}, {1, 1}})), Units{"[5,5][1,1]p"});
  // The last chunk is whole if the region has all of its elements that are inside the array.
  EXPECT_EQ(ListUnits(WriteUnits(grid, {{8, 8}, {2, 2}})), Units{"[8,8][2,2]"});
  EXPECT_EQ(ListUnits(WriteUnits(grid, {{8, 8}, {2, 1}})), Units{"[8,8][2,1]p"});
  EXPECT_EQ(ListUnits(WriteUnits(RectilinearWithoutKind({10}, "[[1, 5, 4]]"), {{0}, {3}})),
            (Units{"[0][1]", "[1][2]p"}));
}

TEST(WriteUnits, AreNoneWithoutElements) {
  EXPECT_EQ(ListUnits(ChunkGrid::MakeRegular({3, 0}, {2, 2}), {3, 0}), Units());
  EXPECT_EQ(ListUnits(WriteUnits(ChunkGrid::MakeRegular({3, 3}, {2, 2}), {{1, 3}, {2, 0}})), Units());
}

TEST(WriteUnits, OfRankZeroAreOne) {
  EXPECT_EQ(ListUnits(ChunkGrid::MakeRegular({}, {}), {}), Units{"[][]"});
}

TEST(WriteUnits, EndOnceAndForAll) {
  for (const std::uint64_t length : {0, 3}) {
    const ChunkGrid grid = ChunkGrid::MakeRegular({length}, {3});
    WriteUnits units(grid, {{0}, {length}});
    while (units.Next()) continue;
    EXPECT_FALSE(units.Next()) << length;
  }
}

TEST(WriteUnits, OfAHugeGridAreNotCounted) {
  constexpr std::uint64_t kLength = std::uint64_t{1} << 63;
  const ChunkGrid grid = ChunkGrid::MakeRegular({kLength, kLength}, {1, 1});
  WriteUnits units(grid, {{7, 0}, {kLength - 7, kLength}});
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(units.Next());
  EXPECT_EQ(units.box(), (Box{{7, 999}, {1, 1}}));
}

TEST(WriteUnits, OfSomeChunksAlone) {
  const ChunkGrid grid = ChunkGrid::MakeRegular({10, 10}, {4, 4});
  const Box region{{2, 2}, {8, 8}};
  EXPECT_EQ(WriteUnits::FindChunks(grid, region), (Box{{0, 0}, {3, 3}}));
  EXPECT_EQ(ListUnits(WriteUnits(grid, region, {{1, 0}, {1, 2}})), (Units{"[4,2][4,2]p", "[4,4][4,4]"}));
}

}  // namespace
}  // namespace zarr
