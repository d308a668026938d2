// SPDX-License-Identifier: MIT
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "autotest/cpp/support/array_writer_test_util.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/array/write/chunk_locks.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/forwarding_store.h"

/// Writers whose array another handle has replaced, moved or removed since they opened it.
namespace zarr {
namespace {

using namespace test;

constexpr std::uint64_t kSize = 16;
constexpr std::uint64_t kElements = kSize * kSize;

std::string ArrayV3(std::string_view chunks = "[8, 8]", std::string_view codecs = kPlain, std::string_view fill = "0") {
  return Metadata({kSize, kSize}, chunks, codecs, fill);
}

std::string ArrayV2(std::string_view chunks = "[8, 8]", std::string_view type = "<i4", std::string_view more = "") {
  return R"({"zarr_format": 2, "shape": [16, 16], "chunks": )" + std::string(chunks) + R"(, "dtype": ")" +
         std::string(type) + R"(", "compressor": null, "filters": null, "fill_value": 0, "order": "C")" +
         std::string(more) + "}";
}

std::string Replace(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

/// A store with the array "a", which one handle has opened.
class Opened : public testing::TestWithParam<bool> {
 protected:
  Opened() {
    Store().Set(v3() ? "zarr.json" : ".zgroup",
                AsBytes(v3() ? R"({"zarr_format": 3, "node_type": "group"})" : R"({"zarr_format": 2})"));
    Store().Set(document(), AsBytes(v3() ? ArrayV3() : ArrayV2()));
    array_ = Open()->OpenArray("a");
    writer_ = ArrayWriter::Make(array_);
  }
  static bool v3() { return GetParam(); }
  static std::string document() { return v3() ? "a/zarr.json" : "a/.zarray"; }
  FilesystemStore Store() const { return FilesystemStore(folder_.path().string()); }
  std::shared_ptr<EditableHierarchy> Open() const {
    return EditableHierarchy::Open(std::make_shared<FilesystemStore>(folder_.path().string()));
  }
  void Write(ArrayWriter* writer, const Selection& selection, std::int32_t value) const {
    WriteAll(writer, selection, std::vector<std::int32_t>(CountOf(selection), value));
    writer->Flush();
  }
  void Write(std::int32_t value) const { Write(writer_.get(), WholeOf(*array_), value); }
  /// The error of a write, which leaves no file beside those that are there.
  std::string FailToWrite() const {
    const std::size_t files = CountFiles();
    const Error error = ErrorOf([&] { Write(9); });
    EXPECT_EQ(error.kind(), ErrorKind::kIo);
    EXPECT_EQ(error.key(), document());
    EXPECT_EQ(CountFiles(), files);
    return error.message();
  }
  std::size_t CountFiles() const {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path())) {
      count += entry.is_regular_file();
    }
    return count;
  }

  TemporaryFolder folder_;
  std::shared_ptr<const Array> array_;
  std::shared_ptr<ArrayWriter> writer_;
};

/// Both the first write of a handle and a later one.
TEST_P(Opened, AnArrayWithOtherChunksGetsNone) {
  for (const bool later : {false, true}) {
    SCOPED_TRACE(later);
    Store().Set(document(), AsBytes(v3() ? ArrayV3() : ArrayV2()));
    writer_ = ArrayWriter::Make(array_);
    if (later) Write(5);
    Store().Set(document(), AsBytes(v3() ? ArrayV3("[4, 16]") : ArrayV2("[4, 16]")));
    const auto present = Open()->OpenArray("a");
    Write(ArrayWriter::Make(present).get(), WholeOf(*present), 7);
    EXPECT_EQ(FailToWrite().substr(0, 79),
              "the array has been replaced since it was opened: expected chunks of [8,8], got ");
    const auto other = Open()->OpenArray("a");
    EXPECT_EQ(Read(*other, WholeOf(*other)), std::vector<std::int32_t>(kElements, 7));
  }
}

TEST_P(Opened, AnArrayThatIsStoredInAnotherWayGetsNoChunk) {
  const std::vector<std::string> v3 = {
      Replace(ArrayV3(), "int32", "uint32"),
      Replace(ArrayV3(), R"("default")", R"("v2")"),
      ArrayV3("[8, 8]", R"([{"name": "bytes", "configuration": {"endian": "big"}}])"),
      ArrayV3("[8, 8]", kCompressed),
      ArrayV3("[8, 8]", kPlain, "1"),
      ArrayV3("[[8, 4, 4], 8]"),
      Metadata({kSize}, "[8]", kPlain),
      R"({"zarr_format": 3, "node_type": "group"})",
  };
  const std::vector<std::string> v2 = {
      ArrayV2("[8, 8]", "<u4"),
      ArrayV2("[8, 8]", ">i4"),
      ArrayV2("[8, 8]", "<i4", R"(, "dimension_separator": "/")"),
      Replace(ArrayV2(), R"("order": "C")", R"("order": "F")"),
      Replace(ArrayV2(), R"("compressor": null)", R"("compressor": {"id": "zlib", "level": 1})"),
      Replace(ArrayV2(), R"("fill_value": 0)", R"("fill_value": 1)"),
  };
  for (const std::string& text : GetParam() ? v3 : v2) {
    SCOPED_TRACE(text);
    Store().Set(document(), AsBytes(text));
    writer_ = ArrayWriter::Make(array_);
    EXPECT_TRUE(FailToWrite().starts_with("the array has been replaced since it was opened: "));
  }
}

TEST_P(Opened, OtherAttributesAndAnotherShapeAreNoOtherArray) {
  Write(5);
  const std::string text = v3() ? ArrayV3() : ArrayV2();
  Store().Set("a/.zattrs", AsBytes(R"({"units": "m"})"));
  Store().Set(
      document(),
      AsBytes(Replace(text, v3() ? "16,16" : "16, 16", "20, 40").insert(1, R"("attributes": {"units": "m"},)")));
  Write(6);
  const auto present = Open()->OpenArray("a");
  EXPECT_EQ(present->shape(), (Shape{20, 40}));
  EXPECT_EQ(Read(*present, WholeOf(*array_)), std::vector<std::int32_t>(kElements, 6));
}

TEST_P(Opened, ARemovedArrayGetsNoChunk) {
  Open()->Delete("a");
  EXPECT_EQ(FailToWrite(), "the array has been removed or renamed since it was opened");
  EXPECT_NO_THROW(Open()->CreateArray("a", array_->metadata()));
}

TEST_P(Opened, ARenamedArrayGetsNoChunk) {
  Open()->Rename("a", "b");
  EXPECT_EQ(FailToWrite(), "the array has been removed or renamed since it was opened");
  EXPECT_NO_THROW(Open()->CreateArray("a", array_->metadata()));
}

TEST_P(Opened, ARemovedStoreGetsNoChunk) {
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    std::filesystem::remove_all(entry.path());
  }
  EXPECT_EQ(FailToWrite(), "the array has been removed or renamed since it was opened");
}

/// A handle that knows the array from consolidated metadata knows as much.
TEST_P(Opened, AnArrayOfConsolidatedMetadataThatIsRemovedGetsNoChunk) {
  {
    const auto hierarchy = Open();
    hierarchy->SetConsolidate(true);
    hierarchy->WriteConsolidated();
  }
  const auto hierarchy = Open();
  ASSERT_TRUE(hierarchy->consolidated());
  array_ = hierarchy->OpenArray("a");
  writer_ = ArrayWriter::Make(array_);
  Open()->Delete("a");
  EXPECT_EQ(FailToWrite(), "the array has been removed or renamed since it was opened");
}

/// The stored document of an array that is being made has the old fill value, while the new one waits.
TEST_P(Opened, AFillValueThatWaitsIsNoOtherArray) {
  const auto hierarchy = Open();
  hierarchy->waiting().Defer();
  auto made = hierarchy->CreateArray("b", array_->metadata());
  ArrayMetadata metadata = made->metadata();
  metadata.fill_value.bytes = BytesOf<std::int32_t>({1});
  made = hierarchy->UpdateArray("b", made->metadata(), metadata);
  ASSERT_TRUE(hierarchy->waiting().HasAny());
  const auto writer = ArrayWriter::Make(made);
  Write(writer.get(), WholeOf(*made), 5);
  hierarchy->waiting().EndDeferring();
  Write(writer.get(), WholeOf(*made), 6);
  const std::string text = v3() ? ArrayV3("[8, 8]", kPlain, "2") : ArrayV2();
  const std::string document = v3() ? "b/zarr.json" : "b/.zarray";
  Store().Set(document, AsBytes(v3() ? text : Replace(text, R"("fill_value": 0)", R"("fill_value": 2)")));
  const Error error = ErrorOf([&] { Write(writer.get(), WholeOf(*made), 7); });
  EXPECT_EQ(error.message(), "the array has been replaced since it was opened: expected the fill value 1, got 2");
}

/// A store in which something happens between a lookup that finds nothing and what its caller makes of it.
class SlowLookup final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  void SetMeanwhile(std::function<void()> meanwhile) { meanwhile_ = std::move(meanwhile); }
  bool Read(const ReadRequest& request) const override {
    const bool found = inner().Read(request);
    if (!found && meanwhile_) std::exchange(meanwhile_, nullptr)();
    return found;
  }

 private:
  mutable std::function<void()> meanwhile_;
};

/// Of two threads that write the first chunks of a new array, one looks for its document too early.
TEST_P(Opened, ANewArrayWhoseDocumentAnotherThreadWritesIsNotRemoved) {
  Store().Erase(document());
  const auto store = std::make_shared<SlowLookup>(std::make_shared<FilesystemStore>(folder_.path().string()));
  ArrayMetadata metadata = array_->metadata();
  metadata.document = JsonNode::MakeObject({});  // it was not read from the store
  const auto made = Array::Make(store, "a", metadata);
  const ChunkLocks locks(*made, true, true);
  const auto lock = [&](const std::string& key) { return locks.Lock(key, {0, 0}, {8, 8}); };
  bool found = false;
  store->SetMeanwhile([&] {
    Store().Set(document(), AsBytes(v3() ? ArrayV3() : ArrayV2()));
    found = lock("a/other").live == Shape{8, 8};
  });
  EXPECT_NO_THROW(lock("a/chunk"));
  EXPECT_TRUE(found);
  Store().Erase(document());
  EXPECT_EQ(ErrorOf([&] { lock("a/chunk"); }).message(), "the array has been removed or renamed since it was opened");
}

INSTANTIATE_TEST_SUITE_P(Formats, Opened, testing::Bool(),
                         [](const auto& test) { return std::string(test.param ? "V3" : "V2"); });

}  // namespace
}  // namespace zarr
