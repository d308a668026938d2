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

}  // namespace
}  // namespace zarr
