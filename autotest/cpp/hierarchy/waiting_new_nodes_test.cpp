// SPDX-License-Identifier: MIT
// New nodes of a local store that wait in memory (WaitingChanges::DeferNewNodes).
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/edit_test_util.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/json/json_changes.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/forwarding_store.h"

namespace zarr {
namespace {

using namespace test;

/// Counts how often each key of a folder is written, and which documents are read.
class RecordingStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;

  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override {
    ++writes[std::string(key)];
    return inner().Write(key, value, condition);
  }
  bool Read(const ReadRequest& request) const override {
    const bool is_there = inner().Read(request);
    if (is_there && request.part != ReadRequest::Part::kPresence && request.part != ReadRequest::Part::kStamp)
      ++reads[std::string(request.key)];
    return is_there;
  }

  std::map<std::string, int> writes;
  mutable std::map<std::string, int> reads;
};

class WaitingNewNodes : public testing::TestWithParam<ZarrFormat> {
 protected:
  WaitingNewNodes() {
    HierarchyOptions options;
    options.may_wait = true;
    hierarchy_ = EditableHierarchy::Create(store_, GetParam(), JsonNode(), options);
    hierarchy_->SetConsolidate(true);
    hierarchy_->waiting().DeferNewNodes();
  }
  std::shared_ptr<const Array> Make(const std::string& path) {
    auto array = hierarchy_->CreateArray(path, MakeLineMetadata(GetParam(), 4));
    Set(path, "units");
    return array;
  }
  void Set(const std::string& path, const std::string& name) {
    hierarchy_->waiting().ChangeAttributes(path,
                                           [&](JsonChanges& changes) { changes.SetMember(name, Json(R"("K")")); });
  }
  static void Write(const std::shared_ptr<const Array>& array) {
    const std::vector<std::int32_t> values = {1, 2, 3, 4};
    const auto writer = ArrayWriter::Make(array);
    writer->Write(WholeOf(*array), {reinterpret_cast<const std::byte*>(values.data()), {4}, nullptr});
    writer->Flush();
  }
  std::shared_ptr<EditableHierarchy> OpenOther() const {
    return EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_.path().string()));
  }
  std::string GetDocument(const std::string& path) const {
    return path + "/" + std::string(GetArrayDocumentName(GetParam()));
  }

  TemporaryFolder folder_;
  std::shared_ptr<RecordingStore> store_ =
      std::make_shared<RecordingStore>(std::make_shared<FilesystemStore>(folder_.path().string()));
  std::shared_ptr<EditableHierarchy> hierarchy_;
};

TEST_P(WaitingNewNodes, AreListedAtOnceAndWrittenOnceWithAllThatWasSet) {
  hierarchy_->CreateGroup("g");
  for (const char* path : {"a", "g/b"}) Make(path);
  Set("g", "title");
  EXPECT_TRUE(OpenOther()->List("").empty());
  ASSERT_EQ(hierarchy_->List("").size(), 2U);
  EXPECT_EQ(hierarchy_->List("")[1].name, "g");
  EXPECT_EQ(hierarchy_->List("g").front().name, "b");
  hierarchy_->waiting().PutAttributes();
  hierarchy_->WriteConsolidated();
  const auto other = OpenOther();
  ASSERT_TRUE(other->consolidated());
  EXPECT_EQ(other->OpenArray("g/b")->metadata().attributes.At("units"), Json(R"("K")"));
  EXPECT_EQ(other->OpenGroup("g").attributes.At("title"), Json(R"("K")"));
  for (const auto& [key, count] : store_->writes) {
    if (key.find('/') != key.npos) {
      EXPECT_EQ(count, 1) << key;
    }
  }
  EXPECT_EQ(store_->reads.count(GetDocument("a")), 0U);
}

TEST_P(WaitingNewNodes, AreWrittenBeforeTheFirstValueOfAny) {
  Make("a");
  Write(Make("b"));
  for (const char* path : {"a", "b"})
    EXPECT_EQ(OpenOther()->OpenArray(path)->metadata().attributes.At("units"), Json(R"("K")")) << path;
  EXPECT_EQ(store_->writes[GetDocument("b")], 1);
}

TEST_P(WaitingNewNodes, ThatAreStoredKeepWhatOthersSet) {
  Make("a");
  hierarchy_->waiting().PutAttributes();
  hierarchy_->WriteConsolidated();
  OpenOther()->EditAttributes("a", [](const JsonNode&) { return Json(R"({"units": "K", "other": 1})"); });
  Set("a", "mine");
  hierarchy_->waiting().PutAttributes();
  hierarchy_->WriteConsolidated();
  const JsonNode attributes = OpenOther()->OpenArray("a")->metadata().attributes;
  EXPECT_TRUE(attributes.Has("other") && attributes.Has("mine")) << attributes.Dump(JsonNode::Style::kV2);
}

TEST_P(WaitingNewNodes, DoNotReplaceThoseThatOthersHaveMadeMeanwhile) {
  for (const char* path : {"a", "b", "c"}) Make(path);
  OpenOther()->CreateArray("b", MakeLineMetadata(GetParam(), 8));
  hierarchy_->waiting().PutAttributes();
  try {
    hierarchy_->WriteConsolidated();
    FAIL() << "b is another array";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
    EXPECT_EQ(error.key(), GetDocument("b"));
  }
  const auto other = OpenOther();
  EXPECT_EQ(other->OpenArray("b")->shape(), (Shape{8}));
  EXPECT_TRUE(other->OpenArray("b")->metadata().attributes.IsNull() ||
              !other->OpenArray("b")->metadata().attributes.Has("units"));
  for (const char* path : {"a", "c"}) EXPECT_EQ(other->OpenArray(path)->shape(), (Shape{4})) << path;
}

TEST_P(WaitingNewNodes, AreRemovedRenamedAndResizedLikeOthers) {
  for (const char* path : {"a", "b", "c"}) Make(path);
  hierarchy_->Delete("a");
  hierarchy_->Rename("b", "d");
  ArrayMetadata longer = hierarchy_->OpenArray("c")->metadata();
  longer.shape = {9};
  longer.chunk_grid = ChunkGrid::MakeRegular(longer.shape, {2});
  hierarchy_->UpdateArray("c", hierarchy_->OpenArray("c")->metadata(), longer);
  hierarchy_->WriteConsolidated();
  const auto other = OpenOther();
  ASSERT_EQ(other->List("").size(), 2U);
  EXPECT_TRUE(other->OpenArray("d")->metadata().attributes.Has("units"));
  EXPECT_EQ(other->OpenArray("c")->shape(), (Shape{9}));
}

TEST_P(WaitingNewNodes, AreNotMadeTwice) {
  Make("a");
  EXPECT_THROW(Make("a"), Error);
  EXPECT_THROW(hierarchy_->CreateGroup("a"), Error);
}

TEST_P(WaitingNewNodes, ThatTheFileSystemCannotNameAreRefusedAtOnce) {
  EXPECT_THROW(Make(std::string(300, 'a')), Error);
  EXPECT_TRUE(hierarchy_->List("").empty());
}

INSTANTIATE_TEST_SUITE_P(Formats, WaitingNewNodes, testing::Values(ZarrFormat::kV2, ZarrFormat::kV3));

}  // namespace
}  // namespace zarr
