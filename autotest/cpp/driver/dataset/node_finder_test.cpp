// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/node_finder.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "autotest/cpp/support/array_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace gdal_zarr {
namespace {

using namespace zarr::test;

class NodeFinderTest : public testing::Test {
 protected:
  NodeFinderTest() {
    // The hook is another thread.
    store_->AfterRead([this](const std::string& key) {
      if (key == "a/zarr.json" && meanwhile_) std::exchange(meanwhile_, nullptr)();
    });
  }
  void MakeArray() { hierarchy_->CreateArray("a", MakeLineMetadata(zarr::ZarrFormat::kV3, 4)); }

  std::shared_ptr<CountingStore> store_ = std::make_shared<CountingStore>();
  std::shared_ptr<zarr::EditableHierarchy> hierarchy_ = zarr::EditableHierarchy::Create(store_, zarr::ZarrFormat::kV3);
  NodeFinder finder_{*hierarchy_, [](const std::string& text) { ADD_FAILURE() << text; }};
  std::function<void()> meanwhile_;
};

TEST_F(NodeFinderTest, RemembersMissingNodesUntilAChange) {
  EXPECT_FALSE(finder_.FindArray("a"));
  store_->TakeReads();
  EXPECT_FALSE(finder_.FindArray("a"));
  EXPECT_EQ(store_->TakeReads(), 0);
  MakeArray();
  EXPECT_TRUE(finder_.FindArray("a"));
}

TEST_F(NodeFinderTest, FindsAnArrayThatWasMadeWhileItLooked) {
  meanwhile_ = [this] { MakeArray(); };
  EXPECT_FALSE(finder_.FindArray("a"));
  ASSERT_FALSE(meanwhile_);
  EXPECT_TRUE(finder_.FindArray("a"));
}

TEST_F(NodeFinderTest, FindsAnArrayThatWasMadeWhileItLookedTwice) {
  meanwhile_ = [this] {
    MakeArray();
    EXPECT_FALSE(finder_.FindArray("b"));
  };
  EXPECT_FALSE(finder_.FindArray("a"));
  ASSERT_FALSE(meanwhile_);
  EXPECT_TRUE(finder_.FindArray("a"));
}

/// Another thread looks while this one makes the array.
TEST_F(NodeFinderTest, FindsAnArrayThatWasMissingDuringTheChange) {
  store_->OnWrite([this](const std::string&) { EXPECT_FALSE(finder_.FindArray("a")); });
  MakeArray();
  EXPECT_TRUE(finder_.FindArray("a"));
}

}  // namespace
}  // namespace gdal_zarr
