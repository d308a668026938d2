// SPDX-License-Identifier: MIT
#include "driver/raster/coordinates/nearest.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gdal_zarr {
namespace {

/// The index of the nearest number, or what is wrong.
std::string Find(const std::vector<double>& numbers, double wanted) {
  std::vector<Candidate<double>> candidates;
  for (std::size_t i = 0; i < numbers.size(); ++i) candidates.push_back({i, numbers[i]});
  const auto nearest = FindNearest(
      candidates, wanted, [](double a, double b) { return std::fabs(a - b); },
      [](double distance, double step) { return distance <= step; });
  if (!nearest) return "none";
  return nearest->is_within ? std::to_string(nearest->found.index) : "beyond";
}

TEST(Nearest, IsTheFirstOfThoseEquallyNear) {
  EXPECT_EQ(Find({0, 10, 20}, 14), "1");
  EXPECT_EQ(Find({0, 10, 20}, 15), "1");
  EXPECT_EQ(Find({20, 10, 0}, 15), "0");
  EXPECT_EQ(Find({5, 3, 3, 1}, 3), "1");
  EXPECT_EQ(Find({7, 7}, 7), "0");
}

TEST(Nearest, IsNotFurtherThanAStepBeyondTheEnds) {
  EXPECT_EQ(Find({0, 10, 40}, -10), "0");
  EXPECT_EQ(Find({0, 10, 40}, -11), "beyond");
  EXPECT_EQ(Find({0, 10, 40}, 70), "2");
  EXPECT_EQ(Find({0, 10, 40}, 71), "beyond");
  EXPECT_EQ(Find({40, 0, 40, 10}, 70), "0");
}

TEST(Nearest, IsEqualIfThereIsOnlyOne) {
  EXPECT_EQ(Find({5}, 5), "0");
  EXPECT_EQ(Find({5, 5}, 6), "beyond");
  EXPECT_EQ(Find({}, 5), "none");
}

}  // namespace
}  // namespace gdal_zarr
