// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/reference_file.h"

#include <gtest/gtest.h>

#include <string_view>

#include "autotest/cpp/support/limit_test_util.h"

namespace gdal_zarr {
namespace {

/// Generates t/0, t/1 and t/2.
constexpr std::string_view kThree =
    R"({"version": 1, "refs": {}, "gen": [{"key": "t/{{i}}", "url": "data", "offset": "{{i}}", "length": "1",)"
    R"( "dimensions": {"i": {"stop": 3}}}]})";

void Open() {
  const ReferenceFile file(zarr::Bytes(zarr::AsBytes(kThree).begin(), zarr::AsBytes(kThree).end()), "references");
  EXPECT_EQ(file.size(), 3U);
  EXPECT_TRUE(file.Has("t/2"));
}

TEST(ReferenceFile, GeneratesReferencesUpToALimit) {
  zarr::test::ExpectNeed(zarr::Limit::kReferences, 3, Open);
}

TEST(ReferenceFile, GeneratesKeysUpToALimit) {
  zarr::test::ExpectNeed(zarr::Limit::kReferenceKeys, 9, Open);
}

TEST(ReferenceFile, WorksForKeysUpToALimit) {
  const std::uint64_t need =
      zarr::test::FindNeed(zarr::Limit::kReferenceWork, GetLimit(zarr::Limit::kReferenceWork), Open);
  EXPECT_GT(need, 3U);
  zarr::test::ExpectNeed(zarr::Limit::kReferenceWork, need, Open);
}

}  // namespace
}  // namespace gdal_zarr
