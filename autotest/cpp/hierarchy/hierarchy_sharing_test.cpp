// SPDX-License-Identifier: MIT
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/comparing_store.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/hierarchy/resize.h"
#include "zarrlib/json/json_changes.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {
namespace {

using namespace test;

/// The group `g` of a store, as a store.
class StoreOfGroup final : public Store {
 public:
  explicit StoreOfGroup(std::shared_ptr<Store> whole) : Store("g in " + whole->name()), whole_(std::move(whole)) {}

  StoreInfo info() const override { return whole_->info(); }
  bool Read(const ReadRequest& request) const override {
    const std::string key = "g/" + std::string(request.key);
    ReadRequest whole = request;
    whole.key = key;
    return whole_->Read(whole);
  }
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options) const override {
    return whole_->List("g/" + std::string(prefix), options);
  }
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override {
    return whole_->Write("g/" + std::string(key), value, condition);
  }
  void EraseAll(std::span<const std::string> keys) override {
    for (const std::string& key : keys) whole_->Erase("g/" + key);
  }

 private:
  const std::shared_ptr<Store> whole_;
};

/// A store with an array `a` of four elements, and consolidated metadata, that several hierarchies open.
class Sharing : public testing::TestWithParam<ZarrFormat> {
 protected:
  Sharing() {
    const auto hierarchy = EditableHierarchy::Create(store_, GetParam(), Json(R"({"title": "t"})"));
    hierarchy->SetConsolidate(true);
    hierarchy->CreateArray("a", MakeMetadata(4));
    hierarchy->WriteConsolidated();
  }

  static ArrayMetadata MakeMetadata(std::uint64_t length) { return MakeLineMetadata(GetParam(), length); }
  std::shared_ptr<EditableHierarchy> Open(bool use_consolidated = true) const {
    HierarchyOptions options;
    options.use_consolidated = use_consolidated;
    return EditableHierarchy::Open(store_, options);
  }
  /// Sets one attribute of a node, as a caller who knows the others does.
  static void SetAttribute(EditableHierarchy& hierarchy, std::string_view path, std::string_view name,
                           std::string_view value) {
    hierarchy.EditAttributes(
        path, [&](const JsonNode& stored) { return CopyWithMember(stored, name, JsonNode::MakeString(value)); });
  }
  std::string GetAttributes(std::string_view path, bool use_consolidated) const {
    const auto hierarchy = Open(use_consolidated);
    if (hierarchy->Probe(path) == NodeKind::kArray) return hierarchy->OpenArray(path)->metadata().attributes.Dump();
    return hierarchy->OpenGroup(path).attributes.Dump();
  }
  std::string ListNames(bool use_consolidated) const {
    std::string names;
    for (const auto& child : Open(use_consolidated)->List("")) names += child.name + " ";
    return names;
  }

  std::shared_ptr<CountingStore> store_ = std::make_shared<CountingStore>();
};

INSTANTIATE_TEST_SUITE_P(Formats, Sharing, testing::Values(ZarrFormat::kV2, ZarrFormat::kV3));

TEST_P(Sharing, AttributesOfAllStay) {
  for (const char* path : {"a", ""}) {
    const auto first = Open();
    const auto second = Open();
    SetAttribute(*first, path, "x", "1");
    SetAttribute(*second, path, "y", "2");
    SetAttribute(*first, path, "z", "3");
    second->WriteConsolidated();
    first->WriteConsolidated();
    for (const bool use_consolidated : {true, false}) {
      const std::string attributes = GetAttributes(path, use_consolidated);
      EXPECT_NE(attributes.find(R"("x":"1","y":"2","z":"3")"), std::string::npos) << attributes;
    }
  }
}

TEST_P(Sharing, OfAnImpliedGroupTheAttributesOfAllStay) {
  Open()->CreateGroup("g");
  Open()->CreateArray("g/b", MakeMetadata(4));
  const std::string document = GetParam() == ZarrFormat::kV2 ? "g/.zgroup" : "g/zarr.json";
  store_->Erase(document);
  HierarchyOptions options;
  options.use_consolidated = false;
  const auto other = EditableHierarchy::Open(std::make_shared<OtherProcess>(store_), options);
  Open(false)->EditAttributes("g", [&](const JsonNode& stored) {
    // The lock of a document that is not there does not keep other processes from writing it.
    if (!store_->Exists(document)) SetAttribute(*other, "g", "x", "1");
    return CopyWithMember(stored, "y", JsonNode::MakeString("2"));
  });
  EXPECT_EQ(GetAttributes("g", false), R"({"x":"1","y":"2"})");
}

TEST_P(Sharing, ANodeThatOthersRemoveIsNotListedAgain) {
  for (const bool is_renamed : {false, true}) {
    const auto first = Open();
    first->CreateArray("n", MakeMetadata(4));
    SetAttribute(*first, "n", "x", "1");
    const auto second = Open();
    is_renamed ? second->Rename("n", "moved") : second->Delete("n");
    second->WriteConsolidated();
    first->WriteConsolidated();
    EXPECT_EQ(ListNames(true), ListNames(false)) << is_renamed;
  }
}

/// A group `g` with an array `b`, and consolidated metadata of its own, in the store of Sharing.
class OwnConsolidated : public Sharing {
 protected:
  OwnConsolidated() {
    Open()->CreateGroup("g", Json(R"({"title": "g"})"));
    Open()->CreateArray("g/b", MakeMetadata(4));
    const auto group = EditableHierarchy::Open(group_);
    group->SetConsolidate(true);
    group->WriteConsolidated();
    const auto hierarchy = Open(false);
    hierarchy->CreateArray("c", MakeMetadata(4));
    hierarchy->WriteConsolidated();
  }
  /// Returns the attributes and nodes of the group, as its own consolidated metadata have them.
  std::string DescribeGroup() const {
    const auto group = Hierarchy::Open(group_);
    std::string text = group->consolidated() ? group->OpenGroup("").attributes.Dump() : "no consolidated metadata";
    for (const auto& child : group->List(""))
      text += " " + child.name + group->OpenArray(child.name)->metadata().attributes.Dump();
    return text;
  }

  const std::shared_ptr<Store> group_ = std::make_shared<StoreOfGroup>(store_);
};

INSTANTIATE_TEST_SUITE_P(Formats, OwnConsolidated, testing::Values(ZarrFormat::kV2, ZarrFormat::kV3));

TEST_P(OwnConsolidated, FollowChangesInTheGroup) {
  const std::string none = GetParam() == ZarrFormat::kV2 ? "null" : "{}";
  ASSERT_EQ(DescribeGroup(), R"({"title":"g"} b)" + none);
  for (const bool use_consolidated : {true, false}) {
    const auto hierarchy = Open(use_consolidated);
    for (const std::string value : {"1", "2"}) {
      SetAttribute(*hierarchy, "g/b", "x", value + (use_consolidated ? "a" : "b"));
      hierarchy->WriteConsolidated();
    }
    EXPECT_EQ(DescribeGroup(), R"({"title":"g"} b{"x":"2)" + std::string(use_consolidated ? "a" : "b") + R"("})");
  }
  const auto hierarchy = Open();
  hierarchy->CreateArray("g/c", MakeMetadata(4));
  hierarchy->Delete("g/b");
  hierarchy->WriteConsolidated();
  EXPECT_EQ(DescribeGroup(), R"({"title":"g"} c)" + none);
  EXPECT_EQ(ListNames(true), "a c g ");
}

TEST_P(OwnConsolidated, FollowTheAttributesOfTheGroup) {
  const auto hierarchy = Open();
  SetAttribute(*hierarchy, "g", "title", "new");
  EXPECT_EQ(DescribeGroup().find("\"g\""), std::string::npos) << "nothing old is left in between";
  hierarchy->WriteConsolidated();
  EXPECT_EQ(DescribeGroup().find(R"({"title":"new"} b)"), 0u) << DescribeGroup();
}

TEST_P(OwnConsolidated, ThoseOfTheRootFollowChangesThroughTheGroup) {
  const auto group = EditableHierarchy::Open(group_);
  SetAttribute(*group, "b", "x", "1");
  SetAttribute(*group, "", "title", "new");
  group->WriteConsolidated();
  EXPECT_EQ(group->waiting().TakeChanged(), (std::vector<std::string>{"", "b"}));
  EXPECT_EQ(group->waiting().TakeChanged(), std::vector<std::string>());
  EXPECT_TRUE(Open(false)->waiting().UpdateConsolidated("g", {"", "b"}));
  EXPECT_EQ(GetAttributes("g/b", true), R"({"x":"1"})");
  EXPECT_EQ(GetAttributes("g", true), R"({"title":"new"})");
}

TEST_P(OwnConsolidated, FollowChangesAfterOthersHaveRestoredThem) {
  for (const bool is_flushed : {true, false}) {
    const auto first = Open();
    const auto second = EditableHierarchy::Open(std::make_shared<OtherProcess>(store_));
    SetAttribute(*second, "g", "x", "1");  // there are none meanwhile
    SetAttribute(*first, "g/b", "y", "1");
    if (is_flushed) first->WriteConsolidated();
    second->WriteConsolidated();
    SetAttribute(*first, "g/b", "y", "2");
    first->WriteConsolidated();
    EXPECT_NE(DescribeGroup().find(R"(b{"y":"2"})"), std::string::npos) << DescribeGroup();
  }
}

TEST_P(Sharing, ConsolidatedMetadataListTheNodesOfAll) {
  const auto first = Open();
  const auto second = Open();
  first->CreateArray("b", MakeMetadata(4));
  second->CreateGroup("c");
  second->CreateArray("c/d", MakeMetadata(4));
  first->WriteConsolidated();
  second->WriteConsolidated();
  EXPECT_EQ(ListNames(true), "a b c ");
  EXPECT_EQ(Open()->OpenArray("c/d")->shape(), Shape{4});
  EXPECT_EQ(ListNames(false), "a b c ");
}

TEST_P(Sharing, ANewStoreListsTheNodesThatOthersHaveAdded) {
  store_ = std::make_shared<CountingStore>();
  const auto first = EditableHierarchy::Create(store_, GetParam());
  first->SetConsolidate(true);
  first->CreateGroup("g");
  const auto second = Open();
  second->CreateArray("g/a", MakeMetadata(4));
  second->CreateArray("b", MakeMetadata(4));
  SetAttribute(*second, "", "x", "1");
  first->WriteConsolidated();
  EXPECT_EQ(ListNames(true), "b g ");
  EXPECT_EQ(Open()->OpenArray("g/a")->shape(), Shape{4});
  EXPECT_EQ(GetAttributes("", true), R"({"x":"1"})");
}

TEST_P(Sharing, ARemovedNodeDoesNotComeBack) {
  const auto first = Open();
  const auto second = Open();
  first->Delete("a");
  ExpectError([&] { SetAttribute(*second, "a", "x", "1"); }, ErrorKind::kNotFound, "", "removed or renamed");
  second->CreateGroup("b");
  second->WriteConsolidated();
  EXPECT_EQ(ListNames(true), "b ");
  EXPECT_EQ(ListNames(false), "b ");
}

TEST_P(Sharing, OfTwoNewNodesWithOneNameTheSecondIsRefused) {
  const auto first = Open();
  const auto second = Open();
  first->CreateArray("b", MakeMetadata(4));
  EXPECT_EQ(ErrorOf([&] { second->CreateArray("b", MakeMetadata(8)); }).kind(), ErrorKind::kInvalidArgument);
  EXPECT_EQ(Open(false)->OpenArray("b")->shape(), Shape{4});
}

TEST_P(Sharing, AChangeOfMetadataKeepsALargerShape) {
  const auto first = Open();
  const auto second = Open();
  const auto known = first->OpenArray("a");
  ResizeArray(*second, second->OpenArray("a"), {9});
  ArrayMetadata renamed = known->metadata();
  renamed.dimension_names = {"t"};
  const auto updated = first->UpdateArray("a", known->metadata(), renamed);
  EXPECT_EQ(updated->shape(), Shape{9});
  first->WriteConsolidated();
  for (const bool use_consolidated : {true, false}) {
    const auto array = Open(use_consolidated)->OpenArray("a");
    EXPECT_EQ(array->shape(), Shape{9});
    EXPECT_EQ(array->metadata().dimension_names.at(0), "t");
  }
}

TEST_P(Sharing, TheLargerOfTwoResizesHolds) {
  const auto first = Open();
  const auto second = Open();
  const auto known = first->OpenArray("a");
  ResizeArray(*second, second->OpenArray("a"), {9});
  EXPECT_EQ(ResizeArray(*first, known, {6})->shape(), Shape{9});
  EXPECT_EQ(ErrorOf([&] { ResizeArray(*first, known, {2}); }).kind(), ErrorKind::kInvalidArgument);
  EXPECT_EQ(Open()->OpenArray("a")->shape(), Shape{9});
}

TEST_P(Sharing, ThreadsLoseNothing) {
  constexpr int kThreads = 4;
  constexpr int kTimes = 10;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      const auto hierarchy = Open();
      for (int k = 0; k < kTimes; ++k) {
        const std::string name = std::to_string(i) + "_" + std::to_string(k);
        SetAttribute(*hierarchy, k % 2 == 0 ? "a" : "", name, "x");
        hierarchy->CreateGroup("g" + name);
        hierarchy->WriteConsolidated();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const bool use_consolidated : {true, false}) {
    const auto hierarchy = Open(use_consolidated);
    EXPECT_EQ(hierarchy->List("").size(), 1u + kThreads * kTimes);
    EXPECT_EQ(hierarchy->OpenArray("a")->metadata().attributes.GetMembers().size(), 0u + kThreads * kTimes / 2);
    EXPECT_EQ(hierarchy->OpenGroup("").attributes.GetMembers().size(), 1u + kThreads * kTimes / 2);
  }
}

TEST_P(Sharing, ALockedGroupIsAsItIsStoredNow) {
  const auto first = Open();
  const auto second = Open();
  second->CreateArray("b", MakeMetadata(4));
  SetAttribute(*second, "a", "x", "1");
  EXPECT_EQ(first->List("").size(), 1u);
  const auto lock = first->LockGroup("");
  ASSERT_TRUE(lock);
  EXPECT_EQ(first->List("").size(), 2u);
  EXPECT_EQ(first->OpenArray("a")->metadata().attributes.At("x").AsString(), "1");
}

TEST_P(Sharing, AGroupThatIsLockedAgainIsAsItIsStoredThen) {
  const auto first = Open();
  const auto second = Open();
  const auto get = [&] { return first->OpenArray("a")->metadata().attributes.At("x").AsString(); };
  for (const std::string value : {"1", "2", "3"}) {
    SetAttribute(*second, "a", "x", value);
    first->LockGroup("").reset();
    EXPECT_EQ(get(), value);
    first->LockGroup("").reset();
    EXPECT_EQ(get(), value);
  }
}

TEST_P(Sharing, AGroupThatIsLockedAgainIsNotReadAgain) {
  const auto store = std::make_shared<CountingStore>();
  const auto hierarchy = EditableHierarchy::Create(store, GetParam());
  for (int i = 0; i < 20; ++i) hierarchy->CreateArray("a" + std::to_string(i), MakeMetadata(4));
  hierarchy->LockGroup("").reset();
  store->TakeReads();
  hierarchy->LockGroup("").reset();
  EXPECT_LE(store->TakeReads(), 8);
}

TEST_P(Sharing, OnlyNodesOfOnesOwnWait) {
  const auto first = Open();
  first->waiting().Defer();
  first->CreateArray("b", MakeMetadata(4));
  SetAttribute(*first, "b", "x", "1");
  SetAttribute(*first, "a", "x", "1");
  const auto get = [&](const char* path) { return Open(false)->OpenArray(path)->metadata().attributes; };
  EXPECT_EQ(get("a").At("x").AsString(), "1");
  EXPECT_FALSE(get("b").IsObject() && get("b").Has("x"));
  first->waiting().Put();
  EXPECT_EQ(get("b").At("x").AsString(), "1");
}

TEST_P(Sharing, WhatOthersPutBetweenTwoChangesIsSeen) {
  const auto store = std::make_shared<CountingStore>();
  const auto hierarchy = EditableHierarchy::Create(store, GetParam());
  hierarchy->CreateArray("a", MakeMetadata(4));
  const auto other = EditableHierarchy::Open(store);
  SetAttribute(*other, "a", "theirs", "1");
  hierarchy->waiting().ChangeAttributes(
      "a", [](JsonChanges& changes) { changes.SetMember("ours", JsonNode::MakeInteger(2)); });
  hierarchy->waiting().PutAttributes();
  EXPECT_EQ(EditableHierarchy::Open(store)->OpenArray("a")->metadata().attributes.size(), 2U);
}

TEST_P(Sharing, ANodeIsNotPutIntoAStoreThatAnotherFormatHasNow) {
  const auto store = std::make_shared<CountingStore>();
  const auto hierarchy = EditableHierarchy::Create(store, GetParam());
  const bool v3 = GetParam() == ZarrFormat::kV3;
  store->SetText(v3 ? ".zgroup" : "zarr.json",
                 v3 ? R"({"zarr_format": 2})" : R"({"zarr_format": 3, "node_type": "group"})");
  EXPECT_THROW(hierarchy->CreateArray("a", MakeMetadata(4)), Error);
}

TEST_P(Sharing, NothingIsMadeInAStoreThatIsGone) {
  const auto store = std::make_shared<CountingStore>();
  const auto hierarchy = EditableHierarchy::Create(store, GetParam());
  store->Erase(GetParam() == ZarrFormat::kV3 ? "zarr.json" : ".zgroup");
  EXPECT_THROW(hierarchy->CreateArray("a", MakeMetadata(4)), Error);
}

TEST_P(Sharing, ANewArrayTakesFewLooks) {
  const auto store = std::make_shared<CountingStore>();
  const auto hierarchy = EditableHierarchy::Create(store, GetParam());
  hierarchy->CreateArray("first", MakeMetadata(4));
  store->TakeReads();
  hierarchy->CreateArray("second", MakeMetadata(4));
  EXPECT_LE(store->TakeReads(), 14);
}

}  // namespace
}  // namespace zarr
