// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/documents_first.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/memory_store.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {
namespace {

using namespace test;

TEST(DocumentsFirst, ArePutBeforeAValueAndNotBeforeADocument) {
  const auto memory = std::make_shared<MemoryStore>();
  DocumentsFirst store(memory);
  int puts = 0;
  store.SetPut([&](std::string_view) { ++puts; });
  for (const char* key : {"zarr.json", "a/.zarray", "a/.nczarr"}) store.Set(key, {});
  EXPECT_EQ(puts, 0);
  store.Set("a/c/0", {});
  EXPECT_EQ(puts, 1);
}

TEST(DocumentsFirst, AValueIsNotPutIfTheDocumentsFail) {
  const auto memory = std::make_shared<MemoryStore>();
  DocumentsFirst store(memory);
  store.SetPut([](std::string_view) { throw Error(ErrorKind::kIo, "no"); });
  EXPECT_THROW(store.Set("c/0", {}), Error);
  EXPECT_FALSE(memory->Exists("c/0"));
}

TEST(DocumentsFirst, AHierarchyWhoseDocumentsWaitPutsThemBeforeTheFirstChunk) {
  const auto store = std::make_shared<CountingStore>(8);
  HierarchyOptions options;
  options.may_wait = true;
  const auto hierarchy = EditableHierarchy::Create(store, ZarrFormat::kV2, JsonNode(), options);
  const auto array = hierarchy->CreateArray("a", MakeLineMetadata(ZarrFormat::kV2, 4));
  std::mutex mutex;
  std::vector<std::string> order;
  store->OnWrite([&](const std::string& key) {
    // Time for another thread's chunk to overtake the documents.
    if (key.ends_with(".zgroup")) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const std::lock_guard lock(mutex);
    order.push_back(key);
  });
  const std::vector<std::int32_t> values = {1, 2, 3, 4};
  const auto writer = ArrayWriter::Make(array);
  writer->Write(WholeOf(*array), {reinterpret_cast<const std::byte*>(values.data()), {4}, nullptr});
  writer->Flush();
  const auto is_chunk = [](const std::string& key) { return key == "a/0" || key == "a/1"; };
  const auto first_chunk = std::ranges::find_if(order, is_chunk);
  EXPECT_EQ(std::vector<std::string>(order.begin(), first_chunk), (std::vector<std::string>{".zgroup", "a/.zarray"}));
  EXPECT_EQ(std::count_if(order.begin(), order.end(), is_chunk), 2);
}

/// A folder in which something happens after each listing.
class SlowListing final : public ForwardingStore {
 public:
  explicit SlowListing(const TemporaryFolder& folder)
      : ForwardingStore(std::make_shared<FilesystemStore>(folder.path().string())) {}
  std::optional<Listing> List(std::string_view prefix, const ListOptions& list_options) const override {
    auto listing = inner().List(prefix, list_options);
    if (after) std::exchange(after, nullptr)();
    return listing;
  }
  mutable std::function<void()> after;
};

/// A new folder with the array "a", whose document waits.
class WaitingInAFolder : public testing::TestWithParam<ZarrFormat> {
 protected:
  WaitingInAFolder() : hierarchy_(EditableHierarchy::Create(store_, GetParam(), JsonNode(), MakeOptions())) {
    hierarchy_->waiting().Defer();
    hierarchy_->CreateArray("a", MakeLineMetadata(GetParam(), 4));
  }
  static HierarchyOptions MakeOptions() {
    HierarchyOptions options;
    options.may_wait = true;
    return options;
  }

  TemporaryFolder folder_;
  std::shared_ptr<SlowListing> store_ = std::make_shared<SlowListing>(folder_);
  std::shared_ptr<EditableHierarchy> hierarchy_;
};

TEST_P(WaitingInAFolder, AnArrayThatAnotherProcessMakesMeanwhileIsKept) {
  ASSERT_FALSE(std::filesystem::exists(folder_.path() / "a"));
  const auto other = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_.path().string()));
  other->CreateArray("a", MakeLineMetadata(GetParam(), 7));
  ExpectError([&] { hierarchy_->waiting().EndDeferring(); }, ErrorKind::kInvalidArgument, "",
              "there is a node already");
  EXPECT_EQ(EditableHierarchy::Open(store_)->OpenArray("a")->shape(), Shape{7});
}

TEST_P(WaitingInAFolder, ADocumentIsStoredBeforeAChunkWhileAnotherThreadMakesAChange) {
  const auto array = hierarchy_->OpenArray("a");
  const std::string document = GetParam() == ZarrFormat::kV2 ? "a/.zarray" : "a/zarr.json";
  ASSERT_FALSE(store_->Exists(document));
  hierarchy_->EditAttributes("", [&](const JsonNode& stored) {
    std::thread([&] { array->shared_store()->Set("a/c/0", AsBytes("xy")); }).join();
    EXPECT_TRUE(store_->Exists(document));
    return stored;
  });
}

/// A folder whose writes take effect, and then fail.
class LateFailure final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override {
    const bool is_written = ForwardingStore::Write(key, value, condition);
    if (fails) throw Error(ErrorKind::kIo, name(), std::string(key), "", "cannot be synchronized");
    return is_written;
  }
  bool fails = false;
};

TEST_P(WaitingInAFolder, AnArrayWhoseDocumentIsThereAfterAFailureIsNotThatOfAnotherProcess) {
  const auto store = std::make_shared<LateFailure>(std::make_shared<FilesystemStore>(folder_.path().string() + "/new"));
  const auto hierarchy = EditableHierarchy::Create(store, GetParam(), JsonNode(), MakeOptions());
  hierarchy->waiting().Defer();
  hierarchy->CreateArray("a", MakeLineMetadata(GetParam(), 4));
  store->fails = true;
  ExpectError([&] { hierarchy->waiting().Put(); }, ErrorKind::kIo, "", "cannot be synchronized");
  store->fails = false;
  hierarchy->EditAttributes("a", [](const JsonNode&) { return Json(R"({"x": 1})"); });
  hierarchy->waiting().EndDeferring();
  EXPECT_TRUE(EditableHierarchy::Open(store)->OpenArray("a")->metadata().attributes.Has("x"));
  EXPECT_NO_THROW(hierarchy->OpenArray("a")->shared_store()->Set("a/c/0", AsBytes("xy")));
}

TEST_P(WaitingInAFolder, AnArrayOfAnotherProcessIsConsolidated) {
  const auto other = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_.path().string()));
  other->CreateArray("b", MakeLineMetadata(GetParam(), 7));
  other->CreateGroup("g", JsonNode::MakeObject({}));
  hierarchy_->SetConsolidate(true);
  hierarchy_->WriteConsolidated();
  const auto reader = EditableHierarchy::Open(store_);
  ASSERT_TRUE(reader->consolidated());
  std::vector<std::string> names;
  for (const auto& child : reader->List("")) names.push_back(child.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "g"}));
}

TEST_P(WaitingInAFolder, AnArrayOfAnotherProcessInAnOwnGroupIsConsolidated) {
  const auto other = EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_.path().string()));
  hierarchy_->CreateGroup("h", JsonNode::MakeObject({}));
  hierarchy_->waiting().Put();
  other->CreateArray("h/c", MakeLineMetadata(GetParam(), 7));
  hierarchy_->SetConsolidate(true);
  hierarchy_->WriteConsolidated();
  const auto reader = EditableHierarchy::Open(store_);
  ASSERT_TRUE(reader->consolidated());
  EXPECT_EQ(reader->List("h").size(), 1);
}

TEST_P(WaitingInAFolder, AnArrayThatIsWrittenDuringAListingIsListed) {
  store_->after = [&] { hierarchy_->waiting().EndDeferring(); };
  ASSERT_EQ(hierarchy_->List("").size(), 1);
  EXPECT_EQ(hierarchy_->List("")[0].name, "a");
}

INSTANTIATE_TEST_SUITE_P(Formats, WaitingInAFolder, testing::Values(ZarrFormat::kV2, ZarrFormat::kV3),
                         [](const auto& test) { return test.param == ZarrFormat::kV2 ? "V2" : "V3"; });

/// A folder in which other processes change a document once before it is written, and once after it is read.
class ChangedByOthers final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  bool Read(const ReadRequest& request) const override {
    const bool is_there = ForwardingStore::Read(request);
    if (request.key == "a/.zattrs" && is_there && after_read) std::exchange(after_read, nullptr)();
    return is_there;
  }
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override {
    if (key == "a/.zattrs" && before_write) std::exchange(before_write, nullptr)();
    return ForwardingStore::Write(key, value, condition);
  }
  mutable std::function<void()> after_read;
  std::function<void()> before_write;
};

/// A new array of v2 in a folder, whose attributes wait until others have set some.
class AttributesOfOthers : public testing::Test {
 protected:
  AttributesOfOthers() {
    hierarchy_->waiting().Defer();
    hierarchy_->CreateArray("a", MakeLineMetadata(ZarrFormat::kV2, 4));
    SetAttribute(*hierarchy_, "mine");
    store_->before_write = [this] { SetAttribute(*OpenAsOther(), "other"); };
  }
  static std::shared_ptr<EditableHierarchy> Create(const std::shared_ptr<Store>& store) {
    HierarchyOptions options;
    options.may_wait = true;
    return EditableHierarchy::Create(store, ZarrFormat::kV2, JsonNode(), options);
  }
  std::shared_ptr<Store> MakeStore() const { return std::make_shared<FilesystemStore>(folder_.path().string()); }
  std::shared_ptr<EditableHierarchy> OpenAsOther() const { return EditableHierarchy::Open(MakeStore()); }
  static void SetAttribute(EditableHierarchy& hierarchy, const std::string& name) {
    hierarchy.EditAttributes("a", [&](const JsonNode& stored) {
      auto members = stored.GetMembers();
      members.emplace_back(name, JsonNode::MakeInteger(1));
      return JsonNode::MakeObject(members);
    });
  }
  std::string ReadAttributes() const { return OpenAsOther()->OpenArray("a")->metadata().attributes.Dump(); }

  TemporaryFolder folder_;
  std::shared_ptr<ChangedByOthers> store_ = std::make_shared<ChangedByOthers>(MakeStore());
  std::shared_ptr<EditableHierarchy> hierarchy_ = Create(store_);
};

TEST_F(AttributesOfOthers, AreNotChangedWhileTheyAreMerged) {
  std::thread third;
  store_->after_read = [&] {
    third = std::thread([&] { SetAttribute(*OpenAsOther(), "third"); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // time for it, if nothing prevents that
  };
  hierarchy_->waiting().EndDeferring();
  ASSERT_TRUE(third.joinable());
  third.join();
  EXPECT_EQ(ReadAttributes(), R"({"mine":1,"other":1,"third":1})");
}

TEST_F(AttributesOfOthers, AreMergedAfterAChunkThatTheyWaitFor) {
  const auto array = hierarchy_->OpenArray("a");
  const auto others = MakeStore();
  LockResult lock;
  store_->before_write = [&] {
    SetAttribute(*OpenAsOther(), "other");
    lock = Lock(*others, "a/.zarray", "");
  };
  array->shared_store()->Set("a/0", AsBytes("xy"));
  ASSERT_TRUE(lock.lock);
  EXPECT_EQ(ReadAttributes(), R"({"other":1})");
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    lock.lock.reset();
  });
  hierarchy_->waiting().EndDeferring();
  other.join();
  EXPECT_EQ(ReadAttributes(), R"({"mine":1,"other":1})");
}

}  // namespace
}  // namespace zarr
