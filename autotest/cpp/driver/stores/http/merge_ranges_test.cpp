// SPDX-License-Identifier: MIT
#include "driver/stores/http/merge_ranges.h"

#include <gtest/gtest.h>

#include <vector>

namespace gdal_zarr {
namespace {

using Ranges = std::vector<zarr::ByteRange>;

TEST(MergeRanges, RangesThatAreCloseBecomeOneRequest) {
  const auto merged = MergeRanges(Ranges{{1000, 10}, {0, 100}, {200, 50}});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].range.offset, 0u);
  EXPECT_EQ(merged[0].range.length, 1010u);
  EXPECT_EQ(merged[0].members, (std::vector<std::size_t>{1, 2, 0}));
}

TEST(MergeRanges, AGapThatCostsMoreThanARequestIsNotRead) {
  EXPECT_EQ(MergeRanges(Ranges{{0, 10}, {10 + kLargestGap, 10}}).size(), 1u);
  EXPECT_EQ(MergeRanges(Ranges{{0, 10}, {11 + kLargestGap, 10}}).size(), 2u);
}

TEST(MergeRanges, LargeRequestsAreNotMergedFurther) {
  EXPECT_EQ(MergeRanges(Ranges{{0, kLargestMergedRange - 10}, {kLargestMergedRange - 10, 10}}).size(), 1u);
  EXPECT_EQ(MergeRanges(Ranges{{0, kLargestMergedRange - 10}, {kLargestMergedRange - 10, 11}}).size(), 2u);
}

TEST(MergeRanges, ARangeInsideAnotherIsReadOnce) {
  const auto merged = MergeRanges(Ranges{{0, 2 * kLargestMergedRange}, {5, 10}, {0, 2 * kLargestMergedRange}});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].range.length, 2 * kLargestMergedRange);
  EXPECT_EQ(merged[0].members.size(), 3u);
}

TEST(MergeRanges, EmptyRangesNeedNoRequest) {
  EXPECT_TRUE(MergeRanges(Ranges{}).empty());
  const auto merged = MergeRanges(Ranges{{7, 0}, {3, 1}});
  ASSERT_EQ(merged.size(), 1u);
  EXPECT_EQ(merged[0].members, std::vector<std::size_t>{1});
}

}  // namespace
}  // namespace gdal_zarr
