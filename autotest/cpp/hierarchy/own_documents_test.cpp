// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/hierarchy_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {
namespace {

using namespace test;

std::string ArrayDocumentOf(int length) {
  return R"({"zarr_format": 2, "shape": [)" + std::to_string(length) +
         R"(], "chunks": [2], "dtype": "<i4", "compressor": null, "fill_value": 2, "order": "C"})";
}

/// A store of v2 with arrays a0, a1, ... that are one element longer than the consolidated metadata say.
std::shared_ptr<CountingStore> MakeStale(int arrays, std::size_t concurrency = 0) {
  auto store = std::make_shared<CountingStore>(concurrency);
  std::string documents = R"(".zgroup": {"zarr_format": 2})";
  for (int i = 0; i < arrays; ++i) documents += ", \"a" + std::to_string(i) + "/.zarray\": " + ArrayDocumentOf(4);
  store->SetText(".zmetadata", R"({"zarr_consolidated_format": 1, "metadata": {)" + documents + "}}");
  store->SetText(".zgroup", kV2Group);
  for (int i = 0; i < arrays; ++i) store->SetText("a" + std::to_string(i) + "/.zarray", ArrayDocumentOf(5));
  return store;
}

struct Opened {
  std::shared_ptr<EditableHierarchy> hierarchy;
  std::shared_ptr<std::vector<ArrayWarning>> warnings = std::make_shared<std::vector<ArrayWarning>>();
};

Opened OpenComparing(const std::shared_ptr<CountingStore>& store) {
  Opened opened;
  HierarchyOptions options;
  options.compare_consolidated = true;
  options.warn = [said = opened.warnings](const ArrayWarning& warning) { said->push_back(warning); };
  opened.hierarchy = EditableHierarchy::Open(store, options);
  return opened;
}

TEST(OwnDocuments, AnOpenedArrayIsComparedOnce) {
  const auto store = MakeStale(3);
  const Opened opened = OpenComparing(store);
  EXPECT_EQ(opened.hierarchy->OpenArray("a1")->shape(), (Shape{5}));
  EXPECT_EQ(opened.hierarchy->OpenArray("a1")->shape(), (Shape{5}));
  ASSERT_EQ(opened.warnings->size(), 1u);
  EXPECT_EQ(opened.warnings->front().kind, ArrayWarning::Kind::kStaleConsolidated);
  EXPECT_NE(opened.warnings->front().text.find("a1/.zarray: /shape: [5], but [4]"), std::string::npos);
}

TEST(OwnDocuments, WhatChangedLastCounts) {
  const auto store = MakeStale(1);
  Bytes consolidated;
  store->Get(".zmetadata", &consolidated, nullptr, 1 << 20);
  store->Set(".zmetadata", consolidated);
  const Opened opened = OpenComparing(store);
  EXPECT_EQ(opened.hierarchy->OpenArray("a0")->shape(), (Shape{4}));
  ASSERT_EQ(opened.warnings->size(), 1u);
  EXPECT_NE(opened.warnings->front().text.find("which changed later"), std::string::npos);
}

TEST(OwnDocuments, AListTakesNoLook) {
  const auto store = MakeStale(2000);
  const Opened opened = OpenComparing(store);
  store->TakeReads();
  const auto children = opened.hierarchy->List("");
  ASSERT_EQ(children.size(), 2000u);
  for (const Hierarchy::Child& child : children) EXPECT_EQ(opened.hierarchy->Summarize(child.name).shape, (Shape{4}));
  EXPECT_EQ(store->TakeReads(), 0);
  EXPECT_TRUE(opened.warnings->empty());
}

TEST(OwnDocuments, AnArrayTakesAFewLooks) {
  const auto store = MakeStale(2000);
  const Opened opened = OpenComparing(store);
  store->TakeReads();
  opened.hierarchy->OpenArray("a7");
  EXPECT_LE(store->TakeReads(), 3);  // whether it is there, .zarray and .zattrs
}

TEST(OwnDocuments, OnANetworkNobodyLooks) {
  const auto store = MakeStale(3, 32);
  const Opened opened = OpenComparing(store);
  store->TakeReads();
  EXPECT_EQ(opened.hierarchy->OpenArray("a1")->shape(), (Shape{4}));
  EXPECT_EQ(store->TakeReads(), 0);
  EXPECT_TRUE(opened.warnings->empty());
}

TEST(OwnDocuments, WithoutTheOptionNobodyLooks) {
  const auto store = MakeStale(3);
  const auto hierarchy = EditableHierarchy::Open(store);
  store->TakeReads();
  EXPECT_EQ(hierarchy->OpenArray("a1")->shape(), (Shape{4}));
  EXPECT_EQ(store->TakeReads(), 0);
}

/// As zarr-python 3 lists them.
TEST(OwnDocuments, GroupsMayBeListedWithEmptyConsolidatedMetadata) {
  for (const bool v3 : {true, false}) {
    const auto store = std::make_shared<CountingStore>(0);
    const std::string empty =
        R"("consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": {}})";
    if (v3) {
      const std::string group = R"("zarr_format": 3, "node_type": "group", "attributes": {})";
      store->SetText("g/zarr.json", "{" + group + "}");
      std::string root = "{" + group;
      root += R"(, "consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": {"g": {)";
      root += group + ", ";
      root += empty + "}}}}";
      store->SetText("zarr.json", root);
    } else {
      store->SetText(".zgroup", kV2Group);
      store->SetText("g/.zgroup", kV2Group);
      store->SetText(".zmetadata", R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}, )"
                                   R"("g/.zgroup": {"zarr_format": 2, )" +
                                       empty + "}}}");
    }
    const Opened opened = OpenComparing(store);
    opened.hierarchy->OpenGroup("g");
    EXPECT_TRUE(opened.warnings->empty()) << (v3 ? "v3: " : "v2: ") << opened.warnings->front().text;
  }
}

TEST(OwnDocuments, AnArrayThatIsGoneIsAnError) {
  const auto store = MakeStale(2);
  store->Erase("a1/.zarray");
  const Error error = ErrorOf([&] { OpenComparing(store).hierarchy->OpenArray("a1"); });
  EXPECT_EQ(error.kind(), ErrorKind::kCorrupt);
  EXPECT_NE(error.message().find("removed or moved"), std::string::npos);
  EXPECT_EQ(OpenComparing(store).hierarchy->OpenArray("a0")->shape(), (Shape{5}));
}

TEST(OwnDocuments, AStoreMayHaveConsolidatedMetadataAlone) {
  const auto store = MakeStale(2);
  store->Erase("a0/.zarray");
  store->Erase("a1/.zarray");
  const Opened opened = OpenComparing(store);
  EXPECT_EQ(opened.hierarchy->OpenArray("a0")->shape(), (Shape{4}));
  ASSERT_EQ(opened.warnings->size(), 1u);
  EXPECT_NE(opened.warnings->front().text.find("a0/.zarray: only the consolidated metadata"), std::string::npos);
}

}  // namespace
}  // namespace zarr
