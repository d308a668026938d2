// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/waiting_attributes.h"

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/edit_test_util.h"
#include "autotest/cpp/support/hierarchy_test_util.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "autotest/cpp/support/watched_store.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {
namespace {

using namespace test;

/// A store with the group g and the array a, which counts what is put.
class WaitingAttributesOf : public testing::TestWithParam<ZarrFormat> {
 protected:
  WaitingAttributesOf() {
    hierarchy_ = EditableHierarchy::Create(store_, GetParam());
    hierarchy_->CreateGroup("g");
    hierarchy_->CreateArray("a", ArrayOf(GetParam()));
    changes_ = 0;
  }
  void Set(std::string_view path, std::string_view name, std::string_view value) {
    hierarchy_->waiting().ChangeAttributes(path, [&](JsonChanges& changes) { changes.SetMember(name, Json(value)); });
  }
  /// The attributes as a new hierarchy of the store finds them.
  JsonNode Stored(std::string_view path) const {
    const auto other = EditableHierarchy::Open(store_);
    return path == "a" ? other->OpenArray(path)->metadata().attributes : other->OpenGroup(path).attributes;
  }
  static bool Has(const JsonNode& attributes, std::string_view name) {
    return attributes.IsObject() && attributes.Has(name);
  }

  TemporaryFolder folder_;
  int changes_ = 0;
  std::shared_ptr<Store> store_ = std::make_shared<WatchedStore>(folder_.path().string(), true, [this] { ++changes_; });
  std::shared_ptr<EditableHierarchy> hierarchy_;
};

TEST_P(WaitingAttributesOf, NodesAreToldAtOnceAndPutOnce) {
  for (const char* path : {"", "g", "a"}) {
    for (int i = 0; i < 100; ++i) Set(path, "k" + std::to_string(i), "1");
    EXPECT_EQ(changes_, 0) << path;
    EXPECT_FALSE(Has(Stored(path), "k5"));
    EXPECT_EQ(hierarchy_->waiting_attributes().FindAttribute(path, "k5").attribute, Json("1"));
    hierarchy_->waiting().PutAttributes();
    EXPECT_EQ(changes_, 1) << path;
    EXPECT_TRUE(Has(Stored(path), "k5") && Has(Stored(path), "k99"));
    EXPECT_FALSE(hierarchy_->waiting_attributes().Has(path));
    hierarchy_->waiting().PutAttributes();
    EXPECT_EQ(changes_, 1) << path;
    changes_ = 0;
  }
  Set("g", "x", "2");
  Set("a", "x", "2");
  EXPECT_EQ(hierarchy_->OpenGroup("g").attributes.At("x"), Json("2"));
  EXPECT_EQ(hierarchy_->OpenArray("a")->metadata().attributes.At("x"), Json("2"));
}

TEST_P(WaitingAttributesOf, NodesLeaveWhatOthersSet) {
  Set("a", "x", "1");
  Set("g", "x", "1");
  const auto other = EditableHierarchy::Open(store_);
  for (const char* path : {"a", "g"}) SetAttributes(*other, path, Json(R"({"x": 5, "y": 6})"));
  hierarchy_->waiting().PutAttributes();
  for (const char* path : {"a", "g"}) {
    EXPECT_EQ(Stored(path).At("x"), Json("1"));
    EXPECT_EQ(Stored(path).At("y"), Json("6"));
  }
}

TEST_P(WaitingAttributesOf, NodesGoWithOtherChanges) {
  Set("a", "x", "1");
  Set("g", "x", "1");
  for (const char* path : {"a", "g"}) {
    hierarchy_->EditAttributes(path, [](const JsonNode& stored) {
      return JsonNode::MakeObject({{"x", stored.At("x")}, {"y", Json("2")}});
    });
    EXPECT_TRUE(Has(Stored(path), "x") && Has(Stored(path), "y"));
    EXPECT_FALSE(hierarchy_->waiting_attributes().Has(path));
  }
  Set("a", "z", "1");
  ArrayMetadata longer = hierarchy_->OpenArray("a")->metadata();
  longer.shape = {6};
  longer.chunk_grid = ChunkGrid::MakeRegular(longer.shape, {2});
  hierarchy_->UpdateArray("a", hierarchy_->OpenArray("a")->metadata(), longer);
  EXPECT_TRUE(Has(Stored("a"), "z"));
  Set("a", "w", "1");
  hierarchy_->Rename("a", "b");
  EXPECT_TRUE(Has(hierarchy_->OpenArray("b")->metadata().attributes, "w"));
}

TEST_P(WaitingAttributesOf, NodesThatAreBeingMadeArePutWhileAValueIsLocked) {
  hierarchy_ = EditableHierarchy::Open(store_);
  hierarchy_->waiting().Defer();
  hierarchy_->CreateArray("b", ArrayOf(GetParam()));
  Set("a", "k", "1");
  Set("b", "k", "1");
  const std::string document = "/" + std::string(GetArrayDocumentName(GetParam()));
  const LockResult a = Lock(*store_, "a" + document, "a/0", true);
  const LockResult b = Lock(*store_, "b" + document, "b/0", true);
  hierarchy_->waiting().PutMade("a/c/0");
  EXPECT_TRUE(Has(EditableHierarchy::Open(store_)->OpenArray("b")->metadata().attributes, "k"));
  EXPECT_FALSE(Has(Stored("a"), "k"));  // which needs a lock
}

TEST_P(WaitingAttributesOf, NodesThatAreGoneDoNotKeepOthersFromBeingPut) {
  Set("a", "x", "1");
  Set("g", "x", "1");
  EditableHierarchy::Open(store_)->Delete("a");
  EXPECT_THROW(hierarchy_->waiting().PutAttributes(), Error);
  EXPECT_TRUE(Has(Stored("g"), "x"));
  EXPECT_THROW(hierarchy_->waiting().PutAttributes(), Error);
  EXPECT_TRUE(hierarchy_->waiting_attributes().Has("a"));
}

TEST_P(WaitingAttributesOf, DeletedNodesAreDropped) {
  Set("a", "x", "1");
  hierarchy_->Delete("a");
  EXPECT_FALSE(hierarchy_->waiting_attributes().Has("a"));
  hierarchy_->CreateArray("a", ArrayOf(GetParam()));
  hierarchy_->waiting().PutAttributes();
  EXPECT_FALSE(Has(Stored("a"), "x"));
}

TEST_P(WaitingAttributesOf, MissingNodesAreRefusedAtOnce) {
  EXPECT_EQ(ErrorOf([&] { Set("none", "x", "1"); }).kind(), ErrorKind::kNotFound);
}

INSTANTIATE_TEST_SUITE_P(Formats, WaitingAttributesOf, testing::Values(ZarrFormat::kV2, ZarrFormat::kV3));

}  // namespace
}  // namespace zarr
