// SPDX-License-Identifier: MIT
#include "zarrlib/base/shape.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "zarrlib/base/error.h"

namespace zarr {
namespace {

constexpr std::uint64_t kHuge = UINT64_MAX;

TEST(PerAxisTest, HoldsWhatItIsGiven) {
  const std::vector<std::uint64_t> values{4, 5, 6};
  const Shape shape(values);
  EXPECT_EQ(shape, (Shape{4, 5, 6}));
  EXPECT_EQ(shape.size(), 3u);
  EXPECT_EQ(shape[2], 6u);
  EXPECT_FALSE(shape.empty());
  EXPECT_TRUE(Shape().empty());
  EXPECT_EQ(Shape(2, 7), (Shape{7, 7}));
}

TEST(PerAxisTest, EqualityNeedsTheSameRank) {
  EXPECT_NE((Shape{1, 2}), (Shape{1, 2, 1}));
  EXPECT_NE((Shape{1, 2}), (Shape{2, 1}));
  EXPECT_EQ(Shape(), Shape());
}

TEST(PerAxisTest, CopiesAreTheirOwn) {
  Shape shape{1, 2, 3};
  Shape copy = shape;
  shape[0] = 9;
  EXPECT_EQ(copy, (Shape{1, 2, 3}));
  copy = Shape{5};
  EXPECT_EQ(copy, Shape{5});
}

TEST(PerAxisTest, MoreThanTheLargestRankIsRefused) {
  Shape shape(kMaxRank, 1);
  try {
    shape.push_back(1);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kLimitExceeded);
    EXPECT_STREQ(error.what(), "expected at most 64 dimensions, got 65");
  }
  EXPECT_THROW(Shape(std::vector<std::uint64_t>(1000)), Error);
}

TEST(CheckedArithmeticTest, GivesNothingBeyond64Bits) {
  EXPECT_EQ(AddChecked(kHuge - 1, 1), kHuge);
  EXPECT_EQ(AddChecked(kHuge, 1), std::nullopt);
  EXPECT_EQ(MultiplyChecked(kHuge / 3, 3), kHuge);
  EXPECT_EQ(MultiplyChecked(std::uint64_t{1} << 32, std::uint64_t{1} << 32), std::nullopt);
}

TEST(CheckedArithmeticTest, TheProductOfAShape) {
  EXPECT_EQ(ComputeCheckedProduct({}), 1u);
  EXPECT_EQ(ComputeCheckedProduct({2, 3, 4}), 24u);
  EXPECT_EQ(ComputeCheckedProduct({kHuge, 2}), std::nullopt);
  EXPECT_EQ(ComputeCheckedProduct({kHuge, kHuge, 0}), 0u);
  EXPECT_EQ(ComputeProduct({2, 3, 4}), 24u);
}

TEST(ShapeTest, ContiguousStridesAreInBytes) {
  EXPECT_EQ(GetContiguousStrides({2, 3, 4}, 8), (Strides{96, 32, 8}));
  EXPECT_EQ(GetContiguousStrides({}, 8), Strides());
}

TEST(ShapeTest, IsWrittenAsAList) {
  EXPECT_EQ(ToString({}), "[]");
  EXPECT_EQ(ToString({2}), "[2]");
  EXPECT_EQ(ToString({2, 3, kHuge}), "[2,3,18446744073709551615]");
}

TEST(ShapeTest, NextIndexGoesThroughAllInCOrder) {
  const Shape shape{2, 3};
  Shape index(2);
  std::vector<std::string> seen;
  do seen.push_back(ToString(index));
  while (AdvanceIndex(shape, &index));
  EXPECT_EQ(seen, (std::vector<std::string>{"[0,0]", "[0,1]", "[0,2]", "[1,0]", "[1,1]", "[1,2]"}));
  EXPECT_EQ(index, (Shape{0, 0}));
}

TEST(ShapeTest, RankZeroHasOneIndex) {
  Shape index;
  EXPECT_FALSE(AdvanceIndex({}, &index));
}

TEST(BoxTest, TheIntersectionIsWhatBothHold) {
  const Box a{{0, 10}, {5, 10}};
  const Box b{{3, 5}, {10, 8}};
  EXPECT_EQ(Intersect(a, b), (Box{{3, 10}, {2, 3}}));
  EXPECT_EQ(Intersect(a, b), Intersect(b, a));
}

TEST(BoxTest, BoxesThatOnlyTouchHaveNothingInCommon) {
  EXPECT_TRUE(Intersect({{0}, {5}}, {{5}, {5}}).empty());
  EXPECT_TRUE(Intersect({{0}, {5}}, {{7}, {5}}).empty());
  EXPECT_FALSE(Intersect({{0}, {5}}, {{4}, {5}}).empty());
}

TEST(BoxTest, OfRankZeroIsOneElement) {
  EXPECT_FALSE(Box().empty());
  EXPECT_TRUE(Contains(Box(), Box()));
}

TEST(BoxTest, ContainsIsUpToTheEdge) {
  const Box outer{{2, 2}, {4, 4}};
  EXPECT_TRUE(Contains(outer, outer));
  EXPECT_TRUE(Contains(outer, {{3, 5}, {1, 1}}));
  EXPECT_FALSE(Contains(outer, {{1, 3}, {2, 1}}));
  EXPECT_FALSE(Contains(outer, {{3, 5}, {1, 2}}));
}

TEST(SelectionTest, OfABoxTakesEveryElement) {
  const Selection selection = Selection::FromBox({{3, 4}, {5, 6}});
  EXPECT_EQ(selection.start, (Shape{3, 4}));
  EXPECT_EQ(selection.count, (Shape{5, 6}));
  EXPECT_EQ(selection.step, (Shape{1, 1}));
}

}  // namespace
}  // namespace zarr
