// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/node_documents.h"

#include <map>
#include <utility>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/edit_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"

namespace zarr {
namespace {

using namespace test;

ArrayMetadata MakeArrayMetadata(ZarrFormat format) {
  ArrayMetadata array;
  array.zarr_format = format;
  array.shape = {4};
  array.data_type = DataType::FromV2(Json(R"("|u1")"));
  array.chunk_grid = ChunkGrid::MakeRegular({4}, {2});
  if (format == ZarrFormat::kV2) array.chunk_key_encoding = {ChunkKeyEncoding::Kind::kV2, '.'};
  array.fill_value.bytes = Bytes(1);
  array.fill_value.defined = true;
  return array;
}

class DeferredChanges : public testing::TestWithParam<ZarrFormat> {
 protected:
  DeferredChanges() {
    store_->OnWrite([this](const std::string& key) { ++writes_[key]; });
    hierarchy_ = EditableHierarchy::Create(store_, GetParam());
    hierarchy_->waiting().Defer();
    hierarchy_->CreateArray("a", MakeArrayMetadata(GetParam()));
  }
  std::string document() const { return GetParam() == ZarrFormat::kV3 ? "a/zarr.json" : "a/.zattrs"; }

  std::shared_ptr<CountingStore> store_ = std::make_shared<CountingStore>();
  std::map<std::string, int> writes_;
  std::shared_ptr<EditableHierarchy> hierarchy_;
};

TEST_P(DeferredChanges, ArePutOnce) {
  const int before = writes_[document()];
  for (const char* attributes : {R"({"x": 1})", R"({"x": 2})", R"({"x": 3})"}) {
    SetAttributes(*hierarchy_, "a", Json(attributes));
  }
  EXPECT_EQ(writes_[document()], before);
  EXPECT_EQ(hierarchy_->OpenArray("a")->metadata().attributes, Json(R"({"x": 3})"));
  hierarchy_->WriteConsolidated();
  EXPECT_EQ(writes_[document()], before + 1);
  EXPECT_EQ(EditableHierarchy::Open(store_)->OpenArray("a")->metadata().attributes, Json(R"({"x": 3})"));
}

TEST_P(DeferredChanges, GoToTheStoreAtOnceWhenThatHasEnded) {
  SetAttributes(*hierarchy_, "a", Json(R"({"x": 1})"));
  hierarchy_->waiting().EndDeferring();
  EXPECT_EQ(EditableHierarchy::Open(store_)->OpenArray("a")->metadata().attributes, Json(R"({"x": 1})"));
  SetAttributes(*hierarchy_, "a", Json(R"({"x": 2})"));
  EXPECT_EQ(EditableHierarchy::Open(store_)->OpenArray("a")->metadata().attributes, Json(R"({"x": 2})"));
}

TEST_P(DeferredChanges, DoNotComeBackAfterADeletion) {
  SetAttributes(*hierarchy_, "a", Json(R"({"x": 1})"));
  store_->SetText(hierarchy_->OpenArray("a")->MakeChunkKey({0}), "xy");
  hierarchy_->Delete("a");
  hierarchy_->WriteConsolidated();
  const auto listing = store_->List("");
  EXPECT_TRUE(listing->prefixes.empty());
  EXPECT_FALSE(EditableHierarchy::Open(store_)->Probe("a"));
}

TEST_P(DeferredChanges, ThatFailAreTriedAgain) {
  SetAttributes(*hierarchy_, "a", Json(R"({"x": 1})"));
  store_->OnWrite([](const std::string& key) { throw Error(ErrorKind::kIo, "full", key, "", "no space"); });
  EXPECT_THROW(hierarchy_->WriteConsolidated(), Error);
  store_->OnWrite({});
  hierarchy_->WriteConsolidated();
  EXPECT_EQ(EditableHierarchy::Open(store_)->OpenArray("a")->metadata().attributes, Json(R"({"x": 1})"));
}

TEST_P(DeferredChanges, OfANewArrayAreStoredWithItsFirstChunk) {
  HierarchyOptions options;
  options.may_wait = true;
  const auto store = std::make_shared<CountingStore>();
  std::map<std::string, int> writes;
  store->OnWrite([&writes](const std::string& key) { ++writes[key]; });
  const auto hierarchy = EditableHierarchy::Create(store, GetParam(), {}, options);
  hierarchy->waiting().Defer();
  const auto array = hierarchy->CreateArray("a", MakeArrayMetadata(GetParam()));
  store->TakeReads();
  SetAttributes(*hierarchy, "a", Json(R"({"x": 1})"));
  const std::string key = array->MakeChunkKey({0});
  array->shared_store()->Set(key, AsBytes("xy"));
  EXPECT_EQ(hierarchy->OpenArray("a")->metadata().attributes, Json(R"({"x": 1})"));
  hierarchy->waiting().EndDeferring();
  EXPECT_EQ(writes[key], 1);
  EXPECT_EQ(writes[document()], 1);
  EXPECT_EQ(EditableHierarchy::Open(store)->OpenArray("a")->metadata().attributes, Json(R"({"x": 1})"));
}

TEST_P(DeferredChanges, OfNewNodesAreListed) {
  hierarchy_->CreateGroup("g", Json("{}"));
  hierarchy_->CreateArray("g/b", MakeArrayMetadata(GetParam()));
  EXPECT_EQ(store_->List("")->prefixes, std::vector<std::string>());
  const auto list = [this](std::string_view path) {
    std::vector<std::string> names;
    for (const Hierarchy::Child& child : hierarchy_->List(path)) names.push_back(child.name);
    return names;
  };
  EXPECT_EQ(list(""), (std::vector<std::string>{"a", "g"}));
  EXPECT_EQ(list("g"), std::vector<std::string>{"b"});
}

TEST_P(DeferredChanges, LookForNoDocumentsThatANewArrayDoesNotHave) {
  store_->TakeReads();
  SetAttributes(*hierarchy_, "a", Json(R"({"x": 1})"));
  hierarchy_->OpenArray("a");
  hierarchy_->WriteConsolidated();
  for (const char* key : {"a/zarr.json", "a/.zarray", "a/.zgroup", "a/.zattrs"})
    EXPECT_EQ(store_->ReadsOf(key), 0) << key;
}

/// The hook is another thread, which changes the array while this one opens it.
TEST_P(DeferredChanges, AreNotLostByAReaderOfTheOldDocument) {
  SetAttributes(*hierarchy_, "a", Json(R"({"x": 0})"));
  hierarchy_->WriteConsolidated();
  bool is_changed = false;
  store_->AfterRead([&](const std::string& key) {
    if (key != document() || std::exchange(is_changed, true)) return;
    SetAttributes(*hierarchy_, "a", Json(R"({"x": 1})"));
  });
  hierarchy_->OpenArray("a");
  ASSERT_TRUE(is_changed);
  hierarchy_->WriteConsolidated();
  EXPECT_EQ(hierarchy_->OpenArray("a")->metadata().attributes, Json(R"({"x": 1})"));
}

INSTANTIATE_TEST_SUITE_P(Formats, DeferredChanges, testing::Values(ZarrFormat::kV2, ZarrFormat::kV3));

/// The hook is another thread, which changes the array while this one opens it.
TEST(OpenArrays, DoNotContainOneThatWasReadBeforeAChange) {
  const auto store = std::make_shared<CountingStore>();
  const auto hierarchy = EditableHierarchy::Create(store, ZarrFormat::kV3);
  hierarchy->CreateArray("a", MakeArrayMetadata(ZarrFormat::kV3));
  bool is_changed = false;
  store->AfterRead([&](const std::string& key) {
    if (key != "a/zarr.json" || std::exchange(is_changed, true)) return;
    SetAttributes(*hierarchy, "a", Json(R"({"x": 1})"));
  });
  const auto opened = hierarchy->OpenArray("a");
  EXPECT_EQ(opened->metadata().attributes, Json(R"({"x": 1})"));
  EXPECT_EQ(hierarchy->OpenArray("a"), opened);
}

TEST(KeptMetadata, AreReadOnce) {
  const auto store = std::make_shared<CountingStore>();
  EditableHierarchy::Create(store, ZarrFormat::kV3)->CreateArray("a", MakeArrayMetadata(ZarrFormat::kV3));
  HierarchyOptions options;
  for (const bool keep : {false, true}) {
    options.keep_metadata = keep;
    const auto hierarchy = EditableHierarchy::Open(store, options);
    hierarchy->OpenArray("a");
    store->TakeReads();
    const auto again = hierarchy->OpenArray("a");
    EXPECT_EQ(hierarchy->Probe("a"), NodeKind::kArray);
    EXPECT_EQ(store->TakeReads() == 0, keep);
  }
}

}  // namespace
}  // namespace zarr
