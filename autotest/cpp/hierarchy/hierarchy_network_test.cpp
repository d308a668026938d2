// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/json/json_edit.h"

namespace zarr {
namespace {

using namespace test;

/// A store each request for which costs a round trip.
class Network : public testing::TestWithParam<ZarrFormat> {
 protected:
  Network() {
    store_->OnWrite([this](const std::string& key) {
      const std::lock_guard lock(mutex_);
      if (key == refused_) throw Error(ErrorKind::kIo, "store", key, "", "HTTP 500");
      written_.push_back(key);
    });
  }

  static ArrayMetadata MakeMetadata() { return MakeLineMetadata(GetParam(), 4); }
  std::shared_ptr<EditableHierarchy> Create(HierarchyOptions options = {}) const {
    options.may_wait = true;
    auto hierarchy = EditableHierarchy::Create(store_, GetParam(), Json(R"({"title": "t"})"), options);
    hierarchy->SetConsolidate(true);
    return hierarchy;
  }
  static void SetTitle(EditableHierarchy& hierarchy, std::string_view path) {
    hierarchy.EditAttributes(
        path, [](const JsonNode& stored) { return CopyWithMember(stored, "title", JsonNode::MakeString("new")); });
  }
  bool IsOnce(const std::string& key) const { return std::ranges::count(written_, key) == 1; }
  std::string GetTitle(std::string_view path) const {
    const auto hierarchy = EditableHierarchy::Open(store_);
    const auto kind = hierarchy->Probe(path);
    const JsonNode attributes = kind == NodeKind::kArray ? hierarchy->OpenArray(path)->metadata().attributes
                                                         : hierarchy->OpenGroup(path).attributes;
    return attributes.At("title").AsString();
  }

  std::shared_ptr<CountingStore> store_ = std::make_shared<CountingStore>(4);
  std::mutex mutex_;
  std::vector<std::string> written_;
  std::string refused_;
};

INSTANTIATE_TEST_SUITE_P(Formats, Network, testing::Values(ZarrFormat::kV2, ZarrFormat::kV3));

TEST_P(Network, EachDocumentOfANewStoreIsPutOnce) {
  const auto hierarchy = Create();
  for (const char* path : {"a", "b"}) {
    hierarchy->CreateArray(path, MakeMetadata());
    SetTitle(*hierarchy, path);
  }
  SetTitle(*hierarchy, "");
  EXPECT_TRUE(written_.empty());
  EXPECT_TRUE(hierarchy->waiting().HasAny());
  hierarchy->WriteConsolidated();
  EXPECT_FALSE(hierarchy->waiting().HasAny());
  for (const std::string& key : written_) EXPECT_TRUE(IsOnce(key)) << key;
  EXPECT_EQ(written_.size(), GetParam() == ZarrFormat::kV3 ? 3u : 7u);
  EXPECT_EQ(written_.back(), GetParam() == ZarrFormat::kV3 ? "zarr.json" : ".zmetadata");
  for (const char* path : {"", "a", "b"}) EXPECT_EQ(GetTitle(path), "new");
}

TEST_P(Network, TheRootIsPutFirst) {
  const auto hierarchy = Create();
  hierarchy->CreateArray("a", MakeMetadata());
  hierarchy->waiting().Put();
  ASSERT_FALSE(written_.empty());
  EXPECT_EQ(written_.front(), GetParam() == ZarrFormat::kV3 ? "zarr.json" : ".zgroup");
}

TEST_P(Network, ADocumentThatCannotBePutWaitsOn) {
  refused_ = GetParam() == ZarrFormat::kV3 ? "a/zarr.json" : "a/.zarray";
  const auto hierarchy = Create();
  hierarchy->CreateArray("a", MakeMetadata());
  EXPECT_THROW(hierarchy->WriteConsolidated(), Error);
  EXPECT_TRUE(hierarchy->waiting().HasAny());
  refused_.clear();
  hierarchy->WriteConsolidated();
  EXPECT_EQ(EditableHierarchy::Open(store_)->Probe("a"), NodeKind::kArray);
}

TEST_P(Network, ANodeThatWaitsCanBeDeleted) {
  const auto hierarchy = Create();
  hierarchy->CreateArray("a", MakeMetadata());
  store_->Set("a/0", AsBytes("12345678"));
  EXPECT_EQ(hierarchy->Delete("a").count, 0u);
  hierarchy->WriteConsolidated();
  EXPECT_FALSE(store_->Exists("a/0"));
  EXPECT_FALSE(EditableHierarchy::Open(store_)->Probe("a"));
}

TEST_P(Network, WhatOthersAddedToAStoreMadeAWhileAgoStays) {
  HierarchyOptions options;
  options.alone_for = std::chrono::milliseconds(0);
  const auto first = Create(options);
  first->CreateArray("a", MakeMetadata());
  first->WriteConsolidated();
  const auto second = EditableHierarchy::Open(store_);
  second->CreateArray("b", MakeMetadata());
  SetTitle(*second, "b");
  second->WriteConsolidated();
  store_->Set("c/notes", AsBytes("mine"));
  for (const char* path : {"b", "c"}) {
    EXPECT_EQ(ErrorOf([&] { first->CreateArray(path, MakeMetadata()); }).kind(), ErrorKind::kInvalidArgument) << path;
  }
  SetTitle(*first, "a");
  first->WriteConsolidated();
  // The list comes from the consolidated metadata.
  EXPECT_EQ(EditableHierarchy::Open(store_)->List("").size(), 2u);
  for (const char* path : {"a", "b"}) EXPECT_EQ(GetTitle(path), "new");
}

TEST_P(Network, WhatOthersChangedInAnOpenStoreStays) {
  {
    const auto made = Create();
    made->CreateArray("a", MakeMetadata());
    made->WriteConsolidated();
  }
  HierarchyOptions unconsolidated;
  unconsolidated.use_consolidated = false;
  const auto first = EditableHierarchy::Open(store_, unconsolidated);
  first->waiting().Defer();
  first->OpenArray("a");
  SetTitle(*EditableHierarchy::Open(store_, unconsolidated), "a");
  first->EditAttributes("a",
                        [](const JsonNode& stored) { return CopyWithMember(stored, "x", JsonNode::MakeString("1")); });
  first->WriteConsolidated();
  EXPECT_EQ(
      EditableHierarchy::Open(store_, unconsolidated)->OpenArray("a")->metadata().attributes.At("title").AsString(),
      "new");
}

}  // namespace
}  // namespace zarr
