// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/hierarchy_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

/// Documents that a store does not have, while a hierarchy remembers them.
namespace zarr {
namespace {

using namespace test;

constexpr const char* kArray = R"({"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": "<i4", "compressor": null,
    "fill_value": 0, "order": "C", "filters": null})";

std::shared_ptr<CountingStore> StoreOfTwoFormats() {
  return StoreOf({{".zgroup", kV2Group}, {"a/.zarray", kArray}, {"b/.zarray", kArray}});
}

TEST(RememberedAbsence, LooksForNoDocumentAgain) {
  const auto store = StoreOfTwoFormats();
  const auto hierarchy = EditableHierarchy::Open(store);
  const auto count = [&] {
    store->TakeReads();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(hierarchy->List("").size(), 2u);
    return store->ReadsOf("a/zarr.json");
  };
  EXPECT_EQ(count(), 3);
  {
    const auto outer = hierarchy->RememberAbsent();
    EXPECT_EQ(count(), 1);
    { const auto inner = hierarchy->RememberAbsent(); }
    EXPECT_EQ(count(), 0);
  }
  EXPECT_EQ(count(), 3);
}

TEST(RememberedAbsence, SeesOwnChanges) {
  const auto store = StoreOfTwoFormats();
  const auto hierarchy = EditableHierarchy::Open(store);
  const auto absent = hierarchy->RememberAbsent();
  EXPECT_FALSE(hierarchy->Probe("c"));
  hierarchy->CreateGroup("c");
  EXPECT_EQ(hierarchy->Probe("c"), NodeKind::kGroup);
  hierarchy->Rename("c", "d");
  EXPECT_FALSE(hierarchy->Probe("c"));
  EXPECT_EQ(hierarchy->Probe("d"), NodeKind::kGroup);
  hierarchy->Rename("d", "c");
  EXPECT_EQ(hierarchy->Probe("c"), NodeKind::kGroup);
}

TEST(RememberedAbsence, EndsBeforeOthersAreAskedFor) {
  const auto store = StoreOfTwoFormats();
  const auto hierarchy = EditableHierarchy::Open(store);
  {
    const auto absent = hierarchy->RememberAbsent();
    EXPECT_FALSE(hierarchy->Probe("c"));
    store->SetText("c/.zgroup", kV2Group);
  }
  EXPECT_EQ(hierarchy->Probe("c"), NodeKind::kGroup);
}

}  // namespace
}  // namespace zarr
