// SPDX-License-Identifier: MIT
#include "zarrlib/grid/box_cover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace zarr {
namespace {

TEST(BoxCoverTest, JoinsBoxesThatFormABox) {
  EXPECT_EQ(JoinExactly({{0, 0}, {2, 3}}, {{0, 3}, {2, 1}}), (Box{{0, 0}, {2, 4}}));
  EXPECT_EQ(JoinExactly({{0, 0}, {2, 3}}, {{0, 2}, {2, 4}}), (Box{{0, 0}, {2, 6}}));
  EXPECT_EQ(JoinExactly({{0, 0}, {9, 9}}, {{3, 3}, {2, 2}}), (Box{{0, 0}, {9, 9}}));
  EXPECT_EQ(JoinExactly({{0, 0}, {2, 3}}, {{0, 4}, {2, 1}}), std::nullopt);
  EXPECT_EQ(JoinExactly({{0, 0}, {2, 3}}, {{1, 3}, {2, 1}}), std::nullopt);
}

TEST(BoxCoverTest, RowsOfBlocksAreOneBox) {
  BoxCover cover;
  for (std::uint64_t y = 0; y < 100; y += 10) {
    for (std::uint64_t x = 0; x < 100; x += 10) {
      cover.Add({{y, x}, {10, 10}});
      EXPECT_LE(cover.boxes().size(), 2u);
    }
  }
  EXPECT_EQ(cover.boxes(), (std::vector<Box>{{{0, 0}, {100, 100}}}));
}

TEST(BoxCoverTest, EmptyBoxesAreNothing) {
  BoxCover cover;
  cover.Add({{3, 4}, {0, 5}});
  EXPECT_TRUE(cover.empty());
}

TEST(BoxCoverTest, HoldsAllThatWasAddedInFewBoxes) {
  std::mt19937 random(1);
  BoxCover cover;
  std::vector<Box> added;
  for (int i = 0; i < 500; ++i) {
    added.push_back({{random() % 1000, random() % 1000}, {1 + random() % 5, 1 + random() % 5}});
    cover.Add(added.back());
    EXPECT_LE(cover.boxes().size(), BoxCover::kMostBoxes);
  }
  for (const Box& box : added) {
    for (std::uint64_t y = box.origin[0]; y < box.end(0); ++y) {
      for (std::uint64_t x = box.origin[1]; x < box.end(1); ++x) {
        const auto holds = [&](const Box& part) { return Contains(part, {{y, x}, {1, 1}}); };
        EXPECT_TRUE(std::any_of(cover.boxes().begin(), cover.boxes().end(), holds));
      }
    }
  }
}

TEST(BoxCoverTest, MergesTheClosestTwo) {
  BoxCover cover;
  for (std::uint64_t i = 0; i < BoxCover::kMostBoxes; ++i) cover.Add({{100 * i, 100 * i}, {1, 1}});
  cover.Add({{302, 302}, {1, 1}});
  EXPECT_EQ(cover.boxes().back(), (Box{{300, 300}, {3, 3}}));
}

}  // namespace
}  // namespace zarr
