// SPDX-License-Identifier: MIT
#include "zarrlib/store/zip/new_zip_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <utility>

#include "autotest/cpp/support/conformance/store_conformance.h"
#include "autotest/cpp/support/failing_allocations.h"

namespace zarr {
namespace {

/// The state of files in memory.
struct Disk {
  Bytes archive;
  std::size_t written = 0;  // bytes, of all files
  bool in_place = false;
  bool full = false;
  int memory = -1;  // how many more calls find memory; -1 for all
  int files = 0;
};

class MemoryFile final : public ArchiveFile {
 public:
  MemoryFile(Disk* disk, bool elsewhere = false) : disk_(disk), elsewhere_(elsewhere) { ++disk_->files; }
  ~MemoryFile() override { --disk_->files; }

  void Append(ByteSpan bytes) override {
    if (disk_->memory == 0) throw std::bad_alloc();
    if (disk_->memory > 0) --disk_->memory;
    if (disk_->full) throw Error(ErrorKind::kIo, "the disk is full");
    disk_->written += bytes.size();
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  void ReadAt(std::uint64_t offset, MutableByteSpan buffer) override {
    ASSERT_LE(offset + buffer.size(), bytes_.size());
    std::copy_n(bytes_.data() + offset, buffer.size(), buffer.data());
  }
  bool CanBePutInPlace() const override { return !elsewhere_; }
  std::unique_ptr<ArchiveFile> MakeAnother() override { return std::make_unique<MemoryFile>(disk_); }
  void PutInPlace() override {
    disk_->archive = bytes_;
    disk_->in_place = true;
  }

 private:
  Disk* disk_;
  bool elsewhere_;
  Bytes bytes_;
};

bool IsJson(std::string_view key) {
  return key.ends_with(".json");
}

std::size_t Count(const Bytes& bytes, std::string_view text) {
  std::size_t count = 0;
  const std::string_view all = AsText(bytes);
  for (std::size_t at = all.find(text); at != all.npos; at = all.find(text, at + 1)) ++count;
  return count;
}

class NewZipStoreFixture {
 public:
  explicit NewZipStoreFixture(const std::string& folder = "", bool elsewhere = false, std::uint64_t pending_limit = 0)
      : store_(std::make_unique<NewZipStore>("/vsizip/a.zip", folder, std::make_unique<MemoryFile>(&disk_, elsewhere),
                                             IsJson, pending_limit)) {}
  static constexpr std::string_view kFacets = "";
  Store& store() { return *store_; }
  const Bytes& archive() const { return disk_.archive; }
  Disk& disk() { return disk_; }
  void Drop() { store_.reset(); }

 private:
  Disk disk_;
  std::unique_ptr<NewZipStore> store_;
};
INSTANTIATE_TYPED_TEST_SUITE_P(NewZip, StoreConformance, NewZipStoreFixture);

class PendingFixture : public NewZipStoreFixture {
 public:
  PendingFixture() : NewZipStoreFixture("", false, 100) {}
};
INSTANTIATE_TYPED_TEST_SUITE_P(NewZipWaiting, StoreConformance, PendingFixture);

TEST(NewZipStoreTest, EachKeyStandsOnceInTheArchive) {
  NewZipStoreFixture fixture("in/a.zarr");
  Store& store = fixture.store();
  for (const std::string text : {"{first}", "{second}", "{third}"}) store.Set("zarr.json", AsBytes(text));
  store.Set("c/0", AsBytes("value"));
  EXPECT_EQ(store.GetText("zarr.json"), "{third}");
  store.Finish();
  EXPECT_TRUE(fixture.disk().in_place);
  EXPECT_EQ(Count(fixture.archive(), "in/a.zarr/zarr.json"), 2u);  // in its local header, and in the directory
  EXPECT_EQ(Count(fixture.archive(), "in/a.zarr/c/0"), 2u);
  EXPECT_EQ(Count(fixture.archive(), "{first}") + Count(fixture.archive(), "{second}"), 0u);
  // Metadata come last, near the directory.
  EXPECT_LT(AsText(fixture.archive()).find("value"), AsText(fixture.archive()).find("{third}"));
  // A value in memory can change without a new file.
  EXPECT_EQ(fixture.archive().size(), 2 * 30 + 2 * 46 + 22 + 2 * (19 + 13) + 7 + 5u);
}

TEST(NewZipStoreTest, ReplacedAndErasedValuesLeaveNoGap) {
  NewZipStoreFixture fixture;
  Store& store = fixture.store();
  store.Set("c/0", AsBytes("old value"));
  store.Set("c/1", AsBytes("erased"));
  store.Set("c/2", AsBytes("kept"));
  store.Set("c/0", AsBytes("new"));
  store.Erase("c/1");
  EXPECT_EQ(store.GetText("c/0"), "new");
  EXPECT_FALSE(store.Exists("c/1"));
  store.Finish();
  EXPECT_EQ(Count(fixture.archive(), "old value") + Count(fixture.archive(), "erased"), 0u);
  EXPECT_EQ(fixture.archive().size(), 2 * (30 + 46 + 2 * 3) + 22 + 7u);
  EXPECT_EQ(Count(fixture.archive(), "c/0new"), 1u);
  EXPECT_EQ(Count(fixture.archive(), "c/2kept"), 1u);
  EXPECT_EQ(fixture.disk().files, 1);
}

TEST(NewZipStoreTest, WhatIsReplacedSoonIsNotWrittenTwice) {
  PendingFixture fixture;
  Store& store = fixture.store();
  store.Set("X/0", AsBytes(std::string(30, 'a')));
  store.Set("X/1", AsBytes(std::string(30, 'b')));
  EXPECT_EQ(fixture.disk().written, 0u);
  store.Set("X/0", AsBytes(std::string(20, 'c')));
  store.Erase("X/1");
  for (int i = 0; i < 10; ++i) store.Set("c/" + std::to_string(i), AsBytes(std::string(50, 'd')));
  // Only the last two: values that were replaced or erased are not written.
  EXPECT_EQ(fixture.disk().written, 20 + 8 * 50 + 9 * 33u);
  EXPECT_EQ(store.GetText("X/0"), std::string(20, 'c'));
  EXPECT_EQ(store.GetText("c/0"), std::string(50, 'd'));
  EXPECT_EQ(store.GetText("c/9"), std::string(50, 'd'));
  store.Finish();
  EXPECT_EQ(fixture.disk().written, fixture.archive().size());
  EXPECT_EQ(Count(fixture.archive(), std::string(50, 'd')), 10u);
  EXPECT_LT(AsText(fixture.archive()).find("X/0"), AsText(fixture.archive()).find("c/0"));
}

TEST(NewZipStoreTest, WhatWasWrittenElsewhereIsCopied) {
  NewZipStoreFixture fixture("", true);
  fixture.store().Set("c/0", AsBytes("value"));
  fixture.store().Finish();
  EXPECT_EQ(Count(fixture.archive(), "c/0value"), 1u);
}

TEST(NewZipStoreTest, WithoutFinishThereIsNoArchive) {
  NewZipStoreFixture fixture;
  fixture.store().Set("c/0", AsBytes("value"));
  EXPECT_EQ(fixture.disk().files, 1);
  fixture.Drop();
  EXPECT_EQ(fixture.disk().files, 0);
  EXPECT_FALSE(fixture.disk().in_place);
}

TEST(NewZipStoreTest, AFailureOfTheFileIsToldByAllThatFollows) {
  NewZipStoreFixture fixture;
  Store& store = fixture.store();
  fixture.disk().full = true;
  ExpectError(ErrorKind::kIo, [&] { store.Set("c/0", AsBytes("value")); });
  fixture.disk().full = false;
  ExpectError(ErrorKind::kIo, [&] { store.Set("c/1", AsBytes("value")); });
  ExpectError(ErrorKind::kIo, [&] { store.Finish(); });
  EXPECT_FALSE(fixture.disk().in_place);
}

TEST(NewZipStoreTest, AFailureAtTheEndLeavesNoArchive) {
  NewZipStoreFixture fixture;
  Store& store = fixture.store();
  store.Set("c/0", AsBytes("value"));
  fixture.disk().full = true;
  ExpectError(ErrorKind::kIo, [&] { store.Finish(); });
  ExpectError(ErrorKind::kIo, [&] { store.Finish(); });
  EXPECT_FALSE(fixture.disk().in_place);
  EXPECT_EQ(fixture.disk().files, 0);
}

TEST(NewZipStoreTest, WhenMemoryRunsOutAtTheEndThereIsNoArchive) {
  for (int calls = 0; calls < 5; ++calls) {
    NewZipStoreFixture fixture("", false, 1000);
    Store& store = fixture.store();
    store.Set("c/0", AsBytes("value"));
    store.Set("zarr.json", AsBytes("{}"));
    fixture.disk().memory = calls;
    EXPECT_THROW(store.Finish(), std::bad_alloc) << calls;
    fixture.disk().memory = -1;
    ExpectError(ErrorKind::kIo, [&] { store.Finish(); });
    ExpectError(ErrorKind::kIo, [&] { store.Set("c/1", AsBytes("value")); });
    EXPECT_FALSE(fixture.disk().in_place);
    EXPECT_EQ(fixture.disk().files, 0);
  }
}

TEST(NewZipStoreTest, WhenMemoryRunsOutBeforeTheEndThereIsNoArchive) {
  for (int calls = 0; calls < 2; ++calls) {
    NewZipStoreFixture fixture;
    fixture.disk().memory = calls;
    EXPECT_THROW(fixture.store().Set("c/0", AsBytes("value")), std::bad_alloc);
    fixture.disk().memory = -1;
    ExpectError(ErrorKind::kIo, [&] { fixture.store().Finish(); });
    EXPECT_FALSE(fixture.disk().in_place);
  }
}

TEST(NewZipStoreTest, AValueStaysIfThereIsNoMemoryForAnother) {
  bool enough = false;
  for (int allocations = 0; !enough; ++allocations) {
    NewZipStoreFixture fixture("", false, 1000);
    Store& store = fixture.store();
    store.Set("zarr.json", AsBytes("old"));
    enough = test::SucceedsWithin(allocations, [&] { store.Set("zarr.json", AsBytes("new")); });
    EXPECT_EQ(store.GetText("zarr.json"), enough ? "new" : "old");
  }
}

TEST(NewZipStoreTest, ACompleteArchiveTakesNoMoreValues) {
  NewZipStoreFixture fixture;
  Store& store = fixture.store();
  store.Set("zarr.json", AsBytes("{}"));
  store.Set("c/0", AsBytes("value"));
  store.Finish();
  store.Finish();
  EXPECT_EQ(store.GetText("zarr.json"), "{}");
  EXPECT_EQ(store.GetText("c/0"), "value");
  ExpectError(ErrorKind::kReadOnly, [&] { store.Set("c/1", AsBytes("value")); });
  ExpectError(ErrorKind::kReadOnly, [&] { store.Erase("c/0"); });
}

TEST(NewZipStoreTest, ANameThatIsTooLongForAnArchiveIsRefused) {
  NewZipStoreFixture fixture;
  ExpectError(ErrorKind::kInvalidArgument, [&] { fixture.store().Set(std::string(70000, 'a'), AsBytes("value")); });
  fixture.store().Set("c/0", AsBytes("value"));
}

}  // namespace
}  // namespace zarr
