// SPDX-License-Identifier: MIT
#include "driver/io/strided_request.h"

#include <gtest/gtest.h>

#include <vector>

namespace gdal_zarr {
namespace {

using zarr::Shape;
using zarr::Strides;

struct Axis {
  GUInt64 start;
  size_t count;
  GInt64 step;
  GPtrDiff_t stride;
};

constexpr std::size_t kItemSize = 4;
std::byte buffer[1000];

StridedRequest Request(const std::vector<Axis>& axes) {
  std::vector<GUInt64> start;
  std::vector<size_t> count;
  std::vector<GInt64> step;
  std::vector<GPtrDiff_t> stride;
  for (const Axis& axis : axes) {
    start.push_back(axis.start);
    count.push_back(axis.count);
    step.push_back(axis.step);
    stride.push_back(axis.stride);
  }
  return MakeStridedRequest(axes.size(), start.data(), count.data(), step.data(), stride.data(), kItemSize, buffer);
}

std::ptrdiff_t OffsetOf(const StridedRequest& request) {
  return request.destination.data - buffer;
}

TEST(StridedRequest, TakesForwardStepsAsTheyAre) {
  const StridedRequest request = Request({{5, 3, 2, 10}, {1, 4, 1, 1}});
  EXPECT_EQ(request.selection.start, (Shape{5, 1}));
  EXPECT_EQ(request.selection.count, (Shape{3, 4}));
  EXPECT_EQ(request.selection.step, (Shape{2, 1}));
  EXPECT_EQ(request.destination.strides, (Strides{40, 4}));
  EXPECT_EQ(request.repeats, (Shape{1, 1}));
  EXPECT_EQ(OffsetOf(request), 0);
  EXPECT_EQ(request.destination.converter, nullptr);
}

TEST(StridedRequest, TurnsBackwardStepsRound) {
  const StridedRequest request = Request({{9, 4, -3, 1}});  // the elements 9, 6, 3 and 0
  EXPECT_EQ(request.selection.start, (Shape{0}));
  EXPECT_EQ(request.selection.count, (Shape{4}));
  EXPECT_EQ(request.selection.step, (Shape{3}));
  EXPECT_EQ(OffsetOf(request), 12);
  EXPECT_EQ(request.destination.strides, (Strides{-4}));
}

TEST(StridedRequest, TurnsEachAxisRoundOnItsOwn) {
  const StridedRequest request = Request({{1, 2, -1, 5}, {2, 3, 1, -1}, {7, 2, -5, 20}});
  EXPECT_EQ(request.selection.start, (Shape{0, 2, 2}));
  EXPECT_EQ(request.selection.step, (Shape{1, 1, 5}));
  EXPECT_EQ(request.destination.strides, (Strides{-20, -4, -80}));
  EXPECT_EQ(OffsetOf(request), 20 + 80);
}

TEST(StridedRequest, SelectsAnElementOnceThatIsWantedOften) {
  const StridedRequest request = Request({{3, 5, 0, 2}});
  EXPECT_EQ(request.selection.start, (Shape{3}));
  EXPECT_EQ(request.selection.count, (Shape{1}));
  EXPECT_EQ(request.selection.step, (Shape{1}));
  EXPECT_EQ(request.repeats, (Shape{5}));
  EXPECT_EQ(request.destination.strides, (Strides{8}));
  EXPECT_EQ(OffsetOf(request), 0);
}

TEST(StridedRequest, IgnoresTheStepOfASingleElement) {
  for (const GInt64 step : std::vector<GInt64>{0, -7, 7, INT64_MIN, INT64_MAX}) {
    const StridedRequest request = Request({{3, 1, step, 9}});
    EXPECT_EQ(request.selection.start, (Shape{3})) << step;
    EXPECT_EQ(request.selection.count, (Shape{1})) << step;
    EXPECT_EQ(request.selection.step, (Shape{1})) << step;
    EXPECT_EQ(request.repeats, (Shape{1})) << step;
    EXPECT_EQ(OffsetOf(request), 0) << step;
  }
}

TEST(StridedRequest, TakesNoElements) {
  for (const GInt64 step : {-1, 0, 1}) {
    const StridedRequest request = Request({{3, 0, step, 1}, {0, 2, 1, 1}});
    EXPECT_EQ(request.selection.count, (Shape{0, 2})) << step;
    EXPECT_EQ(request.repeats, (Shape{1, 1})) << step;
    EXPECT_EQ(OffsetOf(request), 0) << step;
  }
}

TEST(StridedRequest, TakesTheFurthestSteps) {
  // The one element before the last is at the beginning of the longest array that there may be.
  const StridedRequest request = Request({{std::uint64_t{1} << 63, 2, INT64_MIN, 1}});
  EXPECT_EQ(request.selection.start, (Shape{0}));
  EXPECT_EQ(request.selection.step, (Shape{std::uint64_t{1} << 63}));
}

TEST(StridedRequest, HasARankOfZero) {
  const StridedRequest request = MakeStridedRequest(0, nullptr, nullptr, nullptr, nullptr, kItemSize, buffer);
  EXPECT_EQ(request.selection.rank(), 0u);
  EXPECT_EQ(OffsetOf(request), 0);
}

TEST(StridedRequest, VisitsEachElementOfABuffer) {
  std::vector<std::ptrdiff_t> offsets;
  const auto visit = [&](const std::byte* element) { offsets.push_back(element - buffer); };
  ForEachElement({2, 3}, buffer + 100, {-20, 4}, visit);
  EXPECT_EQ(offsets, (std::vector<std::ptrdiff_t>{100, 104, 108, 80, 84, 88}));
  offsets.clear();
  ForEachElement({2, 0}, buffer, {4, 4}, visit);
  EXPECT_TRUE(offsets.empty());
  ForEachElement({}, buffer + 8, {}, visit);
  EXPECT_EQ(offsets, std::vector<std::ptrdiff_t>{8});
}

}  // namespace
}  // namespace gdal_zarr
