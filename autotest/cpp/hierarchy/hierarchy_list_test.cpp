// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/edit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

/// The number of reads that looking at a hierarchy takes.
namespace zarr {
namespace {

using namespace test;

constexpr int kCount = 40;

std::string ArrayName(int number) {
  return "g" + std::to_string(number % 4) + "/a" + std::to_string(number);
}

std::string ConsolidatedV3() {
  std::string members;
  for (int i = 0; i < kCount; ++i) {
    members += (i > 0 ? ", \"" : "\"") + ArrayName(i) + "\": " + Metadata({4}, "[2]", kPlain, "3");
  }
  return R"({"zarr_format": 3, "node_type": "group", "consolidated_metadata": {"kind": "inline", "metadata": {)" +
         members + "}}}";
}

std::string ConsolidatedV2() {
  std::string members = R"(".zgroup": {"zarr_format": 2})";
  for (int i = 0; i < kCount; ++i) {
    members += ", \"" + ArrayName(i) + R"(/.zarray": {"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "<i4",
        "compressor": null, "fill_value": 2, "order": "C", "filters": null})";
  }
  return R"({"zarr_consolidated_format": 1, "metadata": {)" + members + "}}";
}

/// Summarizes all arrays that listing finds.
std::vector<std::string> SummarizeAll(const Hierarchy& hierarchy, const std::string& group = "") {
  std::vector<std::string> paths;
  for (const Hierarchy::Child& child : hierarchy.List(group)) {
    const std::string path = JoinKey(group, child.name);
    if (child.kind == NodeKind::kArray) {
      EXPECT_EQ(hierarchy.Summarize(path).shape, (Shape{4}));
      EXPECT_EQ(hierarchy.Summarize(path).data_type.size, 4u);
      paths.push_back(path);
    } else {
      const std::vector<std::string> below = SummarizeAll(hierarchy, path);
      paths.insert(paths.end(), below.begin(), below.end());
    }
  }
  return paths;
}

TEST(HierarchyReads, AListOfV3ReadsOneDocument) {
  auto store = std::make_shared<CountingStore>();  // a local one, where other formats would be looked for too
  store->SetText("zarr.json", ConsolidatedV3());
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_EQ(hierarchy->Probe(""), NodeKind::kGroup);
  EXPECT_TRUE(hierarchy->OpenGroup("").attributes.IsNull());
  EXPECT_EQ(SummarizeAll(*hierarchy).size(), static_cast<std::size_t>(kCount));
  EXPECT_EQ(store->TakeReads(), 1);
}

TEST(HierarchyReads, AListOfV2ReadsOneDocument) {
  auto store = std::make_shared<CountingStore>(32);
  store->SetText(".zmetadata", ConsolidatedV2());
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_EQ(store->TakeReads(), 2);  // the first read finds that there is no zarr.json
  EXPECT_EQ(SummarizeAll(*hierarchy).size(), static_cast<std::size_t>(kCount));
  EXPECT_EQ(store->TakeReads(), 0);
}

TEST(HierarchyReads, ARootOfV3IsReadOnce) {
  auto store = std::make_shared<CountingStore>();
  store->SetText("zarr.json", Metadata({4}, "[2]", kPlain, "3"));
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_EQ(hierarchy->Probe(""), NodeKind::kArray);
  EXPECT_EQ(hierarchy->OpenArray("")->shape(), (Shape{4}));
  EXPECT_EQ(hierarchy->Summarize("").shape, (Shape{4}));
  EXPECT_EQ(store->TakeReads(), 1);
}

TEST(HierarchyReads, WhatIsNotListedIsOnlyLookedForWhenAskedByPath) {
  auto store = std::make_shared<CountingStore>(32);
  store->SetText("zarr.json", ConsolidatedV3());
  store->SetText("late/zarr.json", Metadata({4}, "[2]", kPlain, "3"));
  const auto hierarchy = EditableHierarchy::Open(store);
  store->TakeReads();
  EXPECT_EQ(hierarchy->ProbeListed("late"), std::nullopt);
  EXPECT_EQ(hierarchy->ProbeListed("g1"), NodeKind::kGroup);
  EXPECT_EQ(hierarchy->ProbeListed("g1/a1"), NodeKind::kArray);
  EXPECT_EQ(store->TakeReads(), 0);
  EXPECT_EQ(hierarchy->Probe("late"), NodeKind::kArray);
  EXPECT_EQ(store->TakeReads(), 1);
}

TEST(HierarchyReads, WhatIsWrongInAnArrayIsSaidWhenItIsOpened) {
  auto store = std::make_shared<CountingStore>();
  store->SetText("zarr.json", R"({"zarr_format": 3, "node_type": "group", "consolidated_metadata": {"kind": "inline",
      "metadata": {"a": {"zarr_format": 3, "node_type": "array", "shape": [5], "data_type": "int8", "codecs": 7}}}})");
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_EQ(hierarchy->Summarize("a").shape, (Shape{5}));
  EXPECT_EQ(ErrorOf([&] { hierarchy->OpenArray("a"); }).pointer().substr(0, 33), "/consolidated_metadata/metadata/a");
}

// --- the root's v3 document, which is kept without its consolidated metadata -------------------------------------

TEST(HierarchyRoot, ChangedAttributesAreSeen) {
  for (const bool use_consolidated : {true, false}) {
    auto store = std::make_shared<CountingStore>();
    store->SetText("zarr.json", ConsolidatedV3());
    const auto hierarchy = EditableHierarchy::Open(store, {.use_consolidated = use_consolidated, .metadata = {}});
    SetAttributes(*hierarchy, "", Json(R"({"n": 1})"));
    EXPECT_EQ(hierarchy->OpenGroup("").attributes.Dump(), R"({"n":1})");
    EXPECT_EQ(EditableHierarchy::Open(store)->OpenGroup("").attributes.Dump(), R"({"n":1})");
  }
}

TEST(HierarchyRoot, ConsolidatedMetadataThatAreNotUsedAreStoredAgain) {
  auto store = std::make_shared<CountingStore>();
  store->SetText("zarr.json", ConsolidatedV3());
  store->SetText("b/zarr.json", Metadata({4}, "[2]", kPlain, "3"));
  const auto hierarchy = EditableHierarchy::Open(store, {.use_consolidated = false, .metadata = {}});
  SetAttributes(*hierarchy, "", Json(R"({"n": 1})"));
  hierarchy->WriteConsolidated();
  const auto again = EditableHierarchy::Open(store);
  EXPECT_TRUE(again->consolidated());
  EXPECT_EQ(SummarizeAll(*again), (std::vector<std::string>{"b"}));  // the content of the store
  EXPECT_EQ(again->OpenGroup("").attributes.Dump(), R"({"n":1})");
}

}  // namespace
}  // namespace zarr
