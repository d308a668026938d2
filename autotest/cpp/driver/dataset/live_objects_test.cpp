// SPDX-License-Identifier: MIT
#include "driver/dataset/live_objects.h"

#include <gtest/gtest.h>

#include <new>

#include "driver/dataset/node_paths.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

class Watched : public LiveObject {
 public:
  using LiveObject::LiveObject;
  int moves = 0;
  bool fails = false;
  bool has_memory = true;
  int stored = 0;
  void SavePending() override { ++stored; }

 private:
  void OnMoved() override {
    ++moves;
    if (!has_memory) throw std::bad_alloc();
    if (fails) throw zarr::Error(zarr::ErrorKind::kIo, "cannot be read");
  }
};

class LiveObjectsTest : public testing::Test {
 protected:
  std::shared_ptr<Watched> Add(const std::string& node) {
    auto object = std::make_shared<Watched>(node);
    objects_.Add(object);
    return object;
  }
  LiveObjects objects_;
};

TEST_F(LiveObjectsTest, WhatIsAtOrBelowFollows) {
  const auto root = Add("");
  const auto group = Add("a");
  const auto below = Add("a/b/c");
  const auto beside = Add("ab");
  objects_.Move("a", "z/y");
  EXPECT_EQ(root->node(), "");
  EXPECT_EQ(group->node(), "z/y");
  EXPECT_EQ(below->node(), "z/y/b/c");
  EXPECT_EQ(beside->node(), "ab");
  EXPECT_EQ(group->moves, 1);
  EXPECT_EQ(below->moves, 1);
  EXPECT_EQ(root->moves + beside->moves, 0);
}

TEST_F(LiveObjectsTest, WhatIsAtOrBelowIsDeleted) {
  const auto group = Add("a");
  const auto below = Add("a/b");
  const auto beside = Add("ab");
  objects_.Delete("a");
  EXPECT_TRUE(group->deleted());
  EXPECT_TRUE(below->deleted());
  EXPECT_FALSE(beside->deleted());
  EXPECT_NO_THROW(beside->CheckNotDeleted("/ab"));
  try {
    below->CheckNotDeleted("/a/b");
    FAIL();
  } catch (const zarr::Error& error) {
    EXPECT_EQ(error.kind(), zarr::ErrorKind::kInvalidArgument);
    EXPECT_STREQ(error.what(), "/a/b: it has been deleted");
  }
}

TEST_F(LiveObjectsTest, WhatIsNewAtAPathIsNotWhatWasDeletedThere) {
  const auto old = Add("a");
  objects_.Delete("a");
  const auto fresh = Add("a");
  objects_.Move("a", "b");
  EXPECT_EQ(old->node(), "a");
  EXPECT_EQ(fresh->node(), "b");
  EXPECT_FALSE(fresh->deleted());
}

TEST_F(LiveObjectsTest, WhatCannotFollowIsLikeDeletedAndTheOthersFollow) {
  const auto first = Add("a");
  const auto second = Add("a/b");
  first->fails = true;
  EXPECT_THROW(objects_.Move("a", "z"), zarr::Error);
  EXPECT_TRUE(first->deleted());
  EXPECT_FALSE(second->deleted());
  EXPECT_EQ(second->node(), "z/b");
}

TEST_F(LiveObjectsTest, WithoutMemoryTheOthersFollow) {
  const auto first = Add("a");
  const auto second = Add("a/b");
  first->has_memory = false;
  EXPECT_THROW(objects_.Move("a", "z"), std::bad_alloc);
  EXPECT_TRUE(first->deleted());
  EXPECT_EQ(second->node(), "z/b");
}

TEST_F(LiveObjectsTest, StoresWhatWaits) {
  const auto first = Add("a");
  const auto second = Add("b");
  objects_.SavePending();
  EXPECT_EQ(first->stored, 0) << "nothing waits";
  for (const auto& object : {first, second}) objects_.AddPending(object);
  objects_.SavePending("a");
  EXPECT_EQ(first->stored, 1);
  EXPECT_EQ(second->stored, 0);
  objects_.SavePending();
  EXPECT_EQ(first->stored, 1) << "it has got its value";
  EXPECT_EQ(second->stored, 1);
}

TEST_F(LiveObjectsTest, DoesNotOwn) {
  for (int i = 0; i < 1000; ++i) Add("a");
  const auto held = Add("b");
  ASSERT_EQ(objects_.GetAll().size(), 1u);
  EXPECT_EQ(objects_.GetAll()[0], held);
  EXPECT_EQ(objects_.FindAll<Watched>("b").size(), 1u);
  EXPECT_TRUE(objects_.FindAll<Watched>("a").empty());
}

TEST(Paths, AtOrBelow) {
  EXPECT_TRUE(IsAtOrBelow("a/b", "a"));
  EXPECT_TRUE(IsAtOrBelow("a", "a"));
  EXPECT_TRUE(IsAtOrBelow("a", ""));
  EXPECT_FALSE(IsAtOrBelow("ab", "a"));
  EXPECT_FALSE(IsAtOrBelow("a", "a/b"));
  EXPECT_EQ(GetMovedPath("a/b", "a", "x/y"), "x/y/b");
  EXPECT_EQ(GetMovedPath("a", "a", "b"), "b");
  EXPECT_EQ(GetMovedPath("ab", "a", "b"), std::nullopt);
}

}  // namespace
}  // namespace gdal_zarr
