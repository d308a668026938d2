// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/hierarchy_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

/// Stores in which each look costs a request, and of which one array is wanted.
namespace zarr {
namespace {

using namespace test;

std::shared_ptr<EditableHierarchy> OpenFirst(const std::shared_ptr<CountingStore>& store, const std::string& array) {
  HierarchyOptions options;
  options.keep_metadata = true;
  options.first_array = array;
  return EditableHierarchy::Open(store, options);
}

TEST(HierarchyFirstArray, TellsThatTheRootIsAGroup) {
  const auto store = std::make_shared<CountingStore>(32);
  store->SetText("a/b/.zarray", kV2Array);
  store->SetText(".zgroup", kV2Group);
  store->SetText(".zattrs", R"({"title": "root"})");
  const auto hierarchy = OpenFirst(store, "a/b");
  EXPECT_EQ(hierarchy->format(), ZarrFormat::kV2);
  EXPECT_EQ(hierarchy->Probe(""), NodeKind::kGroup);
  EXPECT_EQ(hierarchy->OpenArray("a/b")->shape(), Shape{4});
  EXPECT_EQ(store->TakeReads(), 5);  // zarr.json, .zmetadata, a look at the array, and its two documents
  EXPECT_EQ(hierarchy->OpenGroup("").attributes.At("title").AsString(), "root");
}

TEST(HierarchyFirstArray, NeedsNoDocumentOfTheRoot) {
  const auto store = std::make_shared<CountingStore>(32);
  store->SetText("a/.zarray", kV2Array);
  EXPECT_EQ(OpenFirst(store, "a")->OpenGroup("").zarr_format, ZarrFormat::kV2);
  EXPECT_EQ(ErrorOf([&] { OpenFirst(store, "b"); }).kind(), ErrorKind::kNotFound);
  EXPECT_EQ(ErrorOf([&] { OpenFirst(store, ""); }).kind(), ErrorKind::kNotFound);
  EXPECT_EQ(ErrorOf([&] { OpenFirst(store, "../a"); }).kind(), ErrorKind::kNotFound);
}

TEST(HierarchyFirstArray, MayBeTheRootItself) {
  const auto store = std::make_shared<CountingStore>(32);
  store->SetText(".zarray", kV2Array);
  EXPECT_EQ(OpenFirst(store, "a")->Probe(""), NodeKind::kArray);
}

TEST(HierarchyFirstArray, DoesNotMatterWhereLooksAreCheap) {
  const auto store = std::make_shared<CountingStore>();
  store->SetText("a/.zarray", kV2Array);
  store->SetText(".zarray", kV2Array);
  EXPECT_EQ(OpenFirst(store, "a")->Probe(""), NodeKind::kArray);
}

TEST(HierarchyFindArray, FindsArraysAlone) {
  const auto store = std::make_shared<CountingStore>(32);
  store->SetText(".zgroup", kV2Group);
  store->SetText("g/.zgroup", kV2Group);
  store->SetText("a/.zarray", kV2Array);
  store->SetText("broken/.zarray", "{");
  const auto hierarchy = OpenFirst(store, "");
  EXPECT_FALSE(hierarchy->HasOpened("a"));
  store->TakeReads();
  EXPECT_EQ(hierarchy->FindArray("g"), nullptr);
  EXPECT_EQ(hierarchy->FindArray("nosuch"), nullptr);
  EXPECT_EQ(store->TakeReads(), 2);
  ASSERT_TRUE(hierarchy->FindArray("a"));
  EXPECT_TRUE(hierarchy->HasOpened("a"));
  EXPECT_EQ(hierarchy->FindArray("a"), hierarchy->OpenArray("a"));
  EXPECT_EQ(ErrorOf([&] { hierarchy->FindArray("broken"); }).kind(), ErrorKind::kCorrupt);
}

}  // namespace
}  // namespace zarr
