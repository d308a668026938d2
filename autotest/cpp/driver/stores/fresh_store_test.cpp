// SPDX-License-Identifier: MIT
#include "driver/stores/fresh_store.h"

#include <cpl_vsi.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gdal_zarr {
namespace {

using Names = std::vector<std::string>;

/// A store in memory, and another handle of it: that of another process.
class FreshStoreTest : public testing::Test {
 public:
  FreshStoreTest() : root_("/vsimem/fresh_store_test"), fresh_(std::make_shared<VsiStore>(root_)), other_(root_) {
    VSIRmdirRecursive(root_.c_str());
    VSIMkdir(root_.c_str(), 0777);
  }
  ~FreshStoreTest() override { VSIRmdirRecursive(root_.c_str()); }

 protected:
  static zarr::ByteSpan Bytes(std::string_view text) { return zarr::AsBytes(text); }

  const std::string root_;
  FreshStore fresh_;
  VsiStore other_;
};

TEST_F(FreshStoreTest, WhereNothingWasDocumentsAreNotLookedFor) {
  EXPECT_TRUE(fresh_.List("")->keys.empty());
  other_.Set("zarr.json", Bytes("{}"));
  EXPECT_FALSE(fresh_.Exists("zarr.json"));
  EXPECT_FALSE(fresh_.GetText("zarr.json"));
  EXPECT_EQ(fresh_.GetEntryKind("zarr.json"), std::nullopt);
}

TEST_F(FreshStoreTest, OwnDocumentsAreKnown) {
  EXPECT_TRUE(fresh_.List("")->keys.empty());
  fresh_.Set("a/zarr.json", Bytes("{}"));
  fresh_.Set("a/c/0/0", Bytes("x"));
  EXPECT_EQ(fresh_.GetText("a/zarr.json"), "{}");
  EXPECT_EQ(fresh_.List("")->prefixes, Names{"a"});
  EXPECT_EQ(fresh_.List("a/")->keys, Names{"zarr.json"});
  EXPECT_EQ(fresh_.List("a/")->prefixes, Names{"c"});
  EXPECT_EQ(fresh_.GetEntryKind("a"), zarr::EntryKind::kFolder);
  fresh_.Erase("a/zarr.json");
  EXPECT_FALSE(fresh_.Exists("a/zarr.json"));
  EXPECT_FALSE(other_.Exists("a/zarr.json"));
}

TEST_F(FreshStoreTest, ChunksOfOthersAreSeen) {
  EXPECT_TRUE(fresh_.List("")->keys.empty());
  fresh_.Set("a/c/0/0", Bytes("x"));
  other_.Set("a/c/0/1", Bytes("y"));
  EXPECT_EQ(fresh_.GetText("a/c/0/1"), "y");
  EXPECT_EQ(fresh_.List("a/c/0/")->keys, (Names{"0", "1"}));
}

TEST_F(FreshStoreTest, OnlyThePrefixThatWasEmptyIsFresh) {
  other_.Set("a/zarr.json", Bytes("{}"));
  EXPECT_TRUE(fresh_.List("b/")->keys.empty());
  EXPECT_TRUE(fresh_.Exists("a/zarr.json"));
  other_.Set("a/zarr.json", Bytes("{\"x\": 1}"));
  EXPECT_EQ(fresh_.GetText("a/zarr.json"), "{\"x\": 1}");
  EXPECT_EQ(fresh_.List("")->prefixes, Names{"a"});
}

TEST_F(FreshStoreTest, AnAbsentDocumentIsLookedForOnce) {
  other_.Set("b", Bytes("x"));
  EXPECT_FALSE(fresh_.Exists("a/.zarray"));
  other_.Set("a/.zarray", Bytes("{}"));
  EXPECT_FALSE(fresh_.Exists("a/.zarray"));
  fresh_.Set("a/.zarray", Bytes("[]"));
  EXPECT_EQ(fresh_.GetText("a/.zarray"), "[]");
}

TEST_F(FreshStoreTest, AfterARemovalThePlaceIsAsItIs) {
  EXPECT_TRUE(fresh_.List("")->keys.empty());
  fresh_.Set("a/zarr.json", Bytes("{}"));
  other_.Set("a/notes", Bytes("mine"));
  const auto choose = [](std::string_view path, zarr::EntryKind kind) {
    if (kind == zarr::EntryKind::kFolder) return zarr::Choice::kEnter;
    return path.ends_with("zarr.json") ? zarr::Choice::kErase : zarr::Choice::kKeep;
  };
  EXPECT_EQ(fresh_.EraseChosen("a/", choose).count, 1u);
  EXPECT_EQ(fresh_.List("a/")->keys, Names{"notes"});
}

TEST_F(FreshStoreTest, DocumentsGoFirst) {
  Names order;
  fresh_.SetBeforeValues([&] { order.push_back("documents"); });
  fresh_.Set("zarr.json", Bytes("{}"));
  EXPECT_TRUE(order.empty());
  fresh_.Set("c/0", Bytes("x"));
  EXPECT_EQ(order, Names{"documents"});
}

TEST_F(FreshStoreTest, AValueIsNotPutIfTheDocumentsFail) {
  fresh_.SetBeforeValues([] { throw zarr::Error(zarr::ErrorKind::kIo, "no"); });
  EXPECT_THROW(fresh_.Set("c/0", Bytes("x")), zarr::Error);
  EXPECT_FALSE(other_.Exists("c/0"));
}

}  // namespace
}  // namespace gdal_zarr
