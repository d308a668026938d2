// SPDX-License-Identifier: MIT
#include "driver/overviews/compute_overviews.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/test_util.h"

namespace gdal_zarr {
namespace {

OverviewRequest Request(const char* resampling, const std::vector<int>& factors, const std::vector<int>& bands = {1}) {
  return MakeOverviewRequest(resampling, static_cast<int>(factors.size()), factors.data(),
                             static_cast<int>(bands.size()), bands.data(), nullptr, nullptr, nullptr);
}

TEST(OverviewRequest, HasItsFactorsInOrderEachOnce) {
  EXPECT_EQ(Request("NEAREST", {8, 2, 4, 2, 8}).factors, (std::vector<int>{2, 4, 8}));
  EXPECT_EQ(Request("NEAREST", {3}).factors, (std::vector<int>{3}));
  EXPECT_TRUE(Request("NEAREST", {}).factors.empty()) << "what is there is removed";
}

TEST(OverviewRequest, KeepsTheOrderOfBands) {
  EXPECT_EQ(Request("NEAREST", {2}, {3, 1, 2}).bands, (std::vector<int>{3, 1, 2}));
  EXPECT_TRUE(Request("NEAREST", {2}, {}).bands.empty());
}

TEST(OverviewRequest, RefusesFactorsThatMakeNothingSmaller) {
  for (const std::vector<int>& factors : {std::vector<int>{1}, {2, 4, 1}, {0, 2}, {-2}}) {
    zarr::test::ExpectError([&] { Request("NEAREST", factors); }, zarr::ErrorKind::kInvalidArgument, "",
                            "factors of 2 or more");
  }
}

TEST(OverviewRequest, TakesTheMethodsOfGdal) {
  for (const char* method : {"NEAREST", "nearest", "NEAR", "AVERAGE", "RMS", "GAUSS", "CUBIC", "CUBICSPLINE", "LANCZOS",
                             "BILINEAR", "MODE", "NONE", "AVERAGE_MAGPHASE", "AVERAGE_BIT2GRAYSCALE"}) {
    EXPECT_EQ(Request(method, {2}).resampling, method);
  }
  EXPECT_EQ(Request(nullptr, {2}).resampling, "NEAREST");
  EXPECT_EQ(Request("", {2}).resampling, "NEAREST");
  for (const char* method : {"MEDIAN", "NEARES", "AVERAGE ", "AVERAGE_"}) {
    zarr::test::ExpectError([&] { Request(method, {2}); }, zarr::ErrorKind::kInvalidArgument, "", method);
  }
}

int CountCalls(double, const char*, void* data) {
  ++*static_cast<int*>(data);
  return TRUE;
}

TEST(OverviewRequest, HasAProgressAlways) {
  EXPECT_NE(Request("NEAREST", {2}).progress, nullptr);
  int calls = 0;
  const int factor = 2;
  const int band = 1;
  CPLStringList options;
  options.SetNameValue("NAME", "value");
  const OverviewRequest request =
      MakeOverviewRequest("NEAREST", 1, &factor, 1, &band, CountCalls, &calls, options.List());
  request.progress(1, "", request.progress_data);
  EXPECT_EQ(calls, 1);
  EXPECT_STREQ(CSLFetchNameValue(request.options, "NAME"), "value");
}

}  // namespace
}  // namespace gdal_zarr
