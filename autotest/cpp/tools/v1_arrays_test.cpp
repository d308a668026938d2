// SPDX-License-Identifier: MIT
#include "zarrlib/tools/v1_arrays.h"

#include <string>
#include <vector>

#include "autotest/cpp/support/hierarchy_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr::tools {
namespace {

using namespace test;  // NOLINT

constexpr std::string_view kV1Meta =
    R"({"zarr_format": 1, "shape": [1], "chunks": [1], "dtype": "|u1", "compression": null, "compression_opts": null,)"
    R"( "fill_value": 0, "order": "C"})";

std::string MakeChain(int folders) {
  std::string chain;
  for (int i = 0; i < folders; ++i) chain += "d/";
  return chain;
}

TEST(V1Arrays, AreFoundInFolders) {
  const auto store = StoreOf({{".zgroup", kV2Group}, {"p/q/a/meta", kV1Meta}, {"p/q/a/attrs", "{}"}});
  EXPECT_EQ(FindV1ArraysBelow(*EditableHierarchy::Open(store)), std::vector<std::string>{"p/q/a"});
}

TEST(V1Arrays, AreLookedForInAThousandFolders) {
  const auto count_reads = [](int chains) {
    const auto store = StoreOf({{".zgroup", kV2Group}});
    for (int i = 0; i < chains; ++i) store->Set(std::to_string(i) + "/" + MakeChain(100) + "file", {});
    const auto hierarchy = EditableHierarchy::Open(store);
    store->TakeReads();
    EXPECT_TRUE(FindV1ArraysBelow(*hierarchy).empty());
    return store->TakeReads();
  };
  EXPECT_LT(count_reads(40), 2 * count_reads(12));
}

TEST(V1Arrays, AreLookedForUpToADepth) {
  const auto count_reads = [](int depth) {
    const auto store = StoreOf({{".zgroup", kV2Group}, {MakeChain(depth) + "file", ""}});
    const auto hierarchy = EditableHierarchy::Open(store);
    store->TakeReads();
    EXPECT_TRUE(FindV1ArraysBelow(*hierarchy).empty());
    return store->TakeReads();
  };
  EXPECT_EQ(count_reads(800), count_reads(700));
}

}  // namespace
}  // namespace zarr::tools
