// SPDX-License-Identifier: MIT
#include "driver/stores/fresh_store.h"

#include <cpl_vsi.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/stores/vsi/vsi_store.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/resize.h"
#include "zarrlib/store/store_folders.h"

namespace gdal_zarr {
namespace {

using Names = std::vector<std::string>;

/// A store in memory some of whose requests fail after they were carried out, as those do whose answer is lost, or are
/// held up.
class FaultyStore : public VsiStore {
 public:
  using VsiStore::VsiStore;
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override {
    const bool is_written = VsiStore::Write(key, value, condition);
    Fail();
    return is_written;
  }
  void EraseAll(std::span<const std::string> keys) override {
    VsiStore::EraseAll(keys.first(fails ? 1 : keys.size()));
    Fail();
  }
  bool Read(const zarr::ReadRequest& request) const override {
    const bool found = VsiStore::Read(request);
    if (request.part == zarr::ReadRequest::Part::kPresence && after_look) std::exchange(after_look, nullptr)();
    return found;
  }
  std::optional<zarr::Listing> List(std::string_view prefix, const zarr::ListOptions& options = {}) const override {
    auto listing = VsiStore::List(prefix, options);
    if (after_look) std::exchange(after_look, nullptr)();
    return listing;
  }

  bool fails = false;
  mutable std::function<void()> after_look;

 private:
  void Fail() const {
    if (fails) throw zarr::Error(zarr::ErrorKind::kIo, "no answer");
  }
};

/// A store in memory, and another handle of it: that of another process.
class FreshStoreTest : public testing::Test {
 public:
  FreshStoreTest()
      : root_("/vsimem/fresh_store_test"), store_(std::make_shared<FaultyStore>(root_)), fresh_(store_), other_(root_) {
    VSIRmdirRecursive(root_.c_str());
    VSIMkdir(root_.c_str(), 0777);
  }
  ~FreshStoreTest() override { VSIRmdirRecursive(root_.c_str()); }

 protected:
  static zarr::ByteSpan Bytes(std::string_view text) { return zarr::AsBytes(text); }

  const std::string root_;
  const std::shared_ptr<FaultyStore> store_;
  FreshStore fresh_;
  VsiStore other_;
};

TEST_F(FreshStoreTest, WhereNothingWasDocumentsAreNotLookedFor) {
  EXPECT_TRUE(fresh_.List("")->keys.empty());
  other_.Set("zarr.json", Bytes("{}"));
  EXPECT_FALSE(fresh_.Exists("zarr.json"));
  EXPECT_FALSE(fresh_.GetText("zarr.json"));
  EXPECT_EQ(zarr::GetEntryKind(fresh_, "zarr.json"), std::nullopt);
}

TEST_F(FreshStoreTest, OwnDocumentsAreKnown) {
  EXPECT_TRUE(fresh_.List("")->keys.empty());
  fresh_.Set("a/zarr.json", Bytes("{}"));
  fresh_.Set("a/c/0/0", Bytes("x"));
  EXPECT_EQ(fresh_.GetText("a/zarr.json"), "{}");
  EXPECT_EQ(fresh_.List("")->prefixes, Names{"a"});
  EXPECT_EQ(fresh_.List("a/")->keys, Names{"zarr.json"});
  EXPECT_EQ(fresh_.List("a/")->prefixes, Names{"c"});
  EXPECT_EQ(zarr::GetEntryKind(fresh_, "a"), zarr::EntryKind::kFolder);
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
  EXPECT_EQ(zarr::EraseChosen(fresh_, "a/", choose).count, 1u);
  EXPECT_EQ(fresh_.List("a/")->keys, Names{"notes"});
}

TEST_F(FreshStoreTest, AnAbsenceHoldsForAWhileOnly) {
  FreshStore fresh(store_, std::chrono::milliseconds(0));
  EXPECT_TRUE(fresh.List("a/")->keys.empty());
  EXPECT_FALSE(fresh.Exists("b/zarr.json"));
  other_.Set("a/zarr.json", Bytes("{}"));
  other_.Set("b/zarr.json", Bytes("{}"));
  EXPECT_TRUE(fresh.Exists("a/zarr.json"));
  EXPECT_TRUE(fresh.Exists("b/zarr.json"));
  EXPECT_EQ(fresh.List("a/")->keys, Names{"zarr.json"});
}

TEST_F(FreshStoreTest, APutWithoutAnAnswerMayHaveWorked) {
  EXPECT_TRUE(fresh_.List("a/")->keys.empty());
  EXPECT_FALSE(fresh_.Exists("b/zarr.json"));
  store_->fails = true;
  for (const char* key : {"a/zarr.json", "b/zarr.json"}) EXPECT_THROW(fresh_.Set(key, Bytes("{}")), zarr::Error);
  store_->fails = false;
  for (const char* key : {"a/zarr.json", "b/zarr.json"}) {
    EXPECT_TRUE(fresh_.Exists(key));
    fresh_.Erase(key);
    EXPECT_FALSE(other_.Exists(key));
  }
}

TEST_F(FreshStoreTest, ARemovalThatBreaksOffLeavesNothingKnown) {
  EXPECT_TRUE(fresh_.List("")->keys.empty());
  const Names keys{"a/zarr.json", "b/zarr.json"};
  for (const std::string& key : keys) fresh_.Set(key, Bytes("{}"));
  store_->fails = true;
  EXPECT_THROW(fresh_.EraseAll(keys), zarr::Error);
  store_->fails = false;
  EXPECT_FALSE(fresh_.Exists(keys[0]));
  EXPECT_TRUE(fresh_.Exists(keys[1]));
}

TEST_F(FreshStoreTest, ALookThatAChangeOvertakesTellsNoAbsence) {
  store_->after_look = [this] { fresh_.Set("a/zarr.json", Bytes("{}")); };
  EXPECT_FALSE(fresh_.Exists("a/zarr.json"));
  EXPECT_EQ(fresh_.GetText("a/zarr.json"), "{}");
  store_->after_look = [this] { fresh_.Set("b/zarr.json", Bytes("{}")); };
  EXPECT_TRUE(fresh_.List("b/")->keys.empty());
  EXPECT_EQ(fresh_.GetText("b/zarr.json"), "{}");
}

/// Makes an array of four chunks of one byte in a store that this has seen to be empty.
std::shared_ptr<zarr::EditableHierarchy> MakeArrayOfFour(const std::shared_ptr<zarr::Store>& store) {
  zarr::ArrayMetadata array;
  array.zarr_format = zarr::ZarrFormat::kV2;
  array.shape = {4};
  array.data_type = zarr::DataType::FromV2(zarr::JsonNode::MakeString("|u1"));
  array.chunk_grid = zarr::ChunkGrid::MakeRegular(array.shape, {1});
  array.chunk_key_encoding = {zarr::ChunkKeyEncoding::Kind::kV2, '.'};
  array.fill_value = {zarr::Bytes(1), true};
  array.implicit_bytes = true;
  auto hierarchy = zarr::EditableHierarchy::Create(store, array.zarr_format, zarr::JsonNode());
  hierarchy->CreateArray("a", array);
  return hierarchy;
}

TEST_F(FreshStoreTest, ChunksOfOthersAreMoved) {
  const auto hierarchy = MakeArrayOfFour(std::make_shared<FreshStore>(store_));
  hierarchy->store()->Set("a/0", Bytes("x"));
  other_.Set("a/2", Bytes("y"));
  EXPECT_EQ(hierarchy->Rename("a", "b").count, 0u);
  EXPECT_EQ(other_.GetText("b/0"), "x");
  EXPECT_EQ(other_.GetText("b/2"), "y");
  EXPECT_FALSE(other_.Exists("a/2"));
}

TEST_F(FreshStoreTest, ChunksOfOthersGoWhenTheArrayShrinks) {
  const auto hierarchy = MakeArrayOfFour(std::make_shared<FreshStore>(store_));
  other_.Set("a/1", Bytes("x"));
  other_.Set("a/3", Bytes("y"));
  zarr::ResizeArray(*hierarchy, hierarchy->OpenArray("a"), {2});
  EXPECT_TRUE(other_.Exists("a/1"));
  EXPECT_FALSE(other_.Exists("a/3"));
}

}  // namespace
}  // namespace gdal_zarr
