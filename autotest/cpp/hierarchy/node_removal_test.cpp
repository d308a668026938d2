// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/removal/node_removal.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/forwarding_folders.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/filesystem_store.h"
#include "zarrlib/store/forwarding_store.h"
#include "zarrlib/store/memory_store.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {
namespace {

using namespace test;

/// Acts as if the process was stopped at the n-th change of the store: that change and all later ones fail.
class StoppingStore final : public ForwardingStore {
 public:
  StoppingStore(std::shared_ptr<Store> store, int changes) : ForwardingStore(std::move(store)), left_(changes) {}
  bool stopped() const { return left_ < 0; }

  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override {
    Count();
    return ForwardingStore::Write(key, value, condition);
  }
  void EraseAll(std::span<const std::string> keys) override {
    for (const std::string& key : keys) {
      if (!key.ends_with('/')) Count();
      ForwardingStore::EraseAll({&key, 1});
    }
  }
  StoreFolders* folders() const override { return nullptr; }

 private:
  void Count() {
    if (--left_ < 0) throw Error(ErrorKind::kIo, "stopped");
  }

  int left_;
};

ArrayMetadata SquareArrayOf(ZarrFormat format) {
  ArrayMetadata array;
  array.zarr_format = format;
  array.shape = {4, 4};
  array.data_type = DataType::FromV2(Json(R"("|u1")"));
  array.chunk_grid = ChunkGrid::MakeRegular(array.shape, {2, 2});
  array.chunk_key_encoding = format == ZarrFormat::kV3 ? ChunkKeyEncoding{ChunkKeyEncoding::Kind::kDefault, '/'}
                                                       : ChunkKeyEncoding{ChunkKeyEncoding::Kind::kV2, '.'};
  array.fill_value = {BytesOf<std::uint8_t>({7}), true};
  array.implicit_bytes = true;
  return array;
}

/// A group with two arrays of four chunks each, and one beside it.
void MakeStore(const std::shared_ptr<Store>& store, ZarrFormat format) {
  const auto hierarchy = EditableHierarchy::Create(store, format);
  hierarchy->CreateGroup("g");
  const Bytes chunk(4, std::byte{1});
  for (const std::string path : {"g/a", "g/b", "other"}) {
    const auto array = hierarchy->CreateArray(path, SquareArrayOf(format));
    for (const Shape& index : {Shape{0, 0}, Shape{0, 1}, Shape{1, 0}, Shape{1, 1}})
      store->Set(array->MakeChunkKey(index), chunk);
  }
}

void AddKeys(const Store& store, const std::string& prefix, std::set<std::string>* keys) {
  const auto entries = ListEntries(store, prefix);
  for (const StoreEntry& entry : *entries) {
    if (entry.kind == EntryKind::kFolder) {
      AddKeys(store, prefix + entry.name + "/", keys);
    } else {
      keys->insert(prefix + entry.name);
    }
  }
}

std::set<std::string> KeysIn(const Store& store) {
  std::set<std::string> keys;
  AddKeys(store, "", &keys);
  return keys;
}

std::set<std::string> KeysUnder(const Store& store, const std::string& prefix) {
  std::set<std::string> keys = KeysIn(store);
  std::erase_if(keys, [&](const std::string& key) { return !key.starts_with(prefix); });
  return keys;
}

class NodeRemoval : public testing::TestWithParam<ZarrFormat> {};

/// A store from which the removal of a node was stopped somewhere, or was not.
struct StoppedRemoval {
  std::shared_ptr<MemoryStore> store;
  bool finished;
};

/// Removes a node from a new store that stops after no change, after one, and so on, until the removal is complete.
/// `prepare` and `check` are called before and after each removal.
void StopEverywhere(ZarrFormat format, std::string_view path,
                    const std::function<void(const std::shared_ptr<MemoryStore>&)>& prepare,
                    const std::function<void(const StoppedRemoval&)>& check) {
  bool finished = false;
  for (int changes = 0; !finished; ++changes) {
    SCOPED_TRACE(changes);
    const auto store = std::make_shared<MemoryStore>();
    MakeStore(store, format);
    prepare(store);
    StoppingStore stopping(store, changes);
    try {
      RemoveNode(stopping, path);
      finished = true;
    } catch (const Error&) {
      ASSERT_TRUE(stopping.stopped());
    }
    check({store, finished});
    ASSERT_LT(changes, 100);
  }
}

/// No array may be there in parts.
void ExpectWholeArrays(const Store& store, const std::vector<std::string>& arrays) {
  for (const std::string& array : arrays) {
    const std::size_t left = KeysUnder(store, array).size();
    EXPECT_TRUE(left == 0 || left == 5u) << left << " keys of " << array;
  }
}

TEST_P(NodeRemoval, LeavesNothingThatIsTakenForDataWhereverItIsStopped) {
  std::set<std::string> before;
  const auto prepare = [&](const std::shared_ptr<MemoryStore>& store) { before = KeysIn(*store); };
  StopEverywhere(GetParam(), "g", prepare, [&](const StoppedRemoval& removal) {
    FinishRemovals(*removal.store);
    for (const std::string& key : KeysIn(*removal.store)) EXPECT_TRUE(before.contains(key)) << key;
    ExpectWholeArrays(*removal.store, {"g/a/", "g/b/"});
    EXPECT_EQ(KeysUnder(*removal.store, "other/").size(), 5u);
    if (removal.finished) {
      EXPECT_TRUE(KeysUnder(*removal.store, "g/").empty());
    }
  });
}

TEST_P(NodeRemoval, LeavesNoConsolidatedMetadataWithoutTheRootWhereverItIsStopped) {
  const auto prepare = [](const std::shared_ptr<MemoryStore>& store) {
    const auto hierarchy = EditableHierarchy::Open(store);
    hierarchy->SetConsolidate(true);
    hierarchy->WriteConsolidated();
  };
  StopEverywhere(GetParam(), "", prepare, [](const StoppedRemoval& removal) {
    EXPECT_TRUE(removal.store->Exists(".zgroup") || !removal.store->Exists(".zmetadata"));
  });
}

TEST_P(NodeRemoval, OfAStoreMayBeStoppedAnywhereToo) {
  const auto prepare = [](const std::shared_ptr<MemoryStore>&) {};
  StopEverywhere(GetParam(), "", prepare, [](const StoppedRemoval& removal) {
    FinishRemovals(*removal.store);
    ExpectWholeArrays(*removal.store, {"g/a/", "g/b/", "other/"});
    if (removal.finished) {
      EXPECT_TRUE(KeysIn(*removal.store).empty());
    }
  });
}

TEST_P(NodeRemoval, DoesNotTouchANodeThatWasMadeAgain) {
  const auto store = std::make_shared<MemoryStore>();
  MakeStore(store, GetParam());
  StoppingStore stopping(store, 3);
  EXPECT_THROW(RemoveNode(stopping, "g/a"), Error);
  const std::string document = GetParam() == ZarrFormat::kV3 ? "g/a/zarr.json" : "g/a/.zarray";
  store->Set(document, AsBytes("{}"));
  const std::set<std::string> before = KeysUnder(*store, "g/a/");
  FinishRemovals(*store);
  EXPECT_EQ(KeysUnder(*store, "g/a/"), before);
}

INSTANTIATE_TEST_SUITE_P(Formats, NodeRemoval, testing::Values(ZarrFormat::kV2, ZarrFormat::kV3));

// --- files of other people --------------------------------------------------------------------------------------

TEST(ForeignValues, StayAndAreTold) {
  MemoryStore store;
  auto shared = std::shared_ptr<MemoryStore>(&store, [](MemoryStore*) {});
  MakeStore(shared, ZarrFormat::kV3);
  const std::set<std::string> foreign = {"g/a/c/0/9",   "g/a/c/0/0.bak", "g/a/0.0",        "g/a/zarr.json.old",
                                         "g/a/.zattrs", "g/b/c/2/0",     "g/photos/a.jpg", "g/meta"};
  for (const std::string& key : foreign) store.Set(key, {});
  const Leftovers leftovers = RemoveNode(store, "g");
  EXPECT_EQ(KeysUnder(store, "g/"), foreign);
  EXPECT_EQ(leftovers.count, foreign.size());
}

TEST(ForeignValues, MayBeFoldersWithTheNamesOfDocuments) {
  const TemporaryFolder folder;
  const auto store = std::make_shared<FilesystemStore>(folder.path().string());
  MakeStore(store, ZarrFormat::kV3);
  const std::set<std::string> foreign = {"meta/a", "attrs/a", "g/.zarray/a", "g/a/.zattrs/a"};
  for (const std::string& key : foreign) store->Set(key, {});
  RemoveNode(*store, "");
  EXPECT_EQ(KeysIn(*store), foreign);
}

TEST(ForeignValues, KeepANewNodeFromBeingMade) {
  const auto store = std::make_shared<MemoryStore>();
  const auto hierarchy = EditableHierarchy::Create(store, ZarrFormat::kV3);
  store->Set("a/2024/thesis.txt", {});
  EXPECT_THROW(hierarchy->CreateGroup("a"), Error);
  try {
    hierarchy->CreateArray("a", SquareArrayOf(ZarrFormat::kV3));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("2024"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(store->Exists("a/2024/thesis.txt"));
}

TEST(ForeignValues, KeepANewStoreFromBeingMade) {
  const auto store = std::make_shared<MemoryStore>();
  store->Set("thesis.txt", {});
  EXPECT_THROW(EditableHierarchy::Create(store, ZarrFormat::kV3), Error);
  EXPECT_THROW(EditableHierarchy::CreateRootArray(store, SquareArrayOf(ZarrFormat::kV2)), Error);
  EXPECT_EQ(KeysIn(*store), std::set<std::string>{"thesis.txt"});
}

/// Chunks of a rectilinear grid may be completely beyond the array's end, and still belong to the array.
TEST(ForeignValues, AreNotTheChunksBeyondTheEndOfARectilinearGrid) {
  const auto store = std::make_shared<MemoryStore>();
  const auto hierarchy = EditableHierarchy::Create(store, ZarrFormat::kV3);
  ArrayMetadata array = SquareArrayOf(ZarrFormat::kV3);
  array.chunk_grid = ChunkGrid(ChunkGrid::Kind::kRectilinear,
                               {ChunkAxis::FromRuns(4, {{4, 3}}), ChunkAxis::FromRuns(4, {{3, 1}, {1, 1}})});
  hierarchy->CreateArray("a", array);
  store->Set("a/c/2/1", {});
  store->Set("a/c/3/1", {});
  EXPECT_EQ(hierarchy->Delete("a").examples, std::vector<std::string>{"a/c/3/1"});
  EXPECT_FALSE(store->Exists("a/c/2/1"));
}

// --- files of writers that were stopped -------------------------------------------------------------------------

TEST(TemporaryFiles, AreRemovedUnlessTheyAreBeingWritten) {
  const TemporaryFolder folder;
  FilesystemStore store(folder.path().string());
  store.Set("kept", AsBytes("x"));
  const std::string written = MakeTemporaryName();
  for (const std::string& name : {MakeTemporaryName(), written}) store.Set(name, AsBytes("half"));
  const auto held = TryHold(store, written);
  ASSERT_TRUE(held);
  EXPECT_FALSE(TryHold(store, written));
  FinishRemovals(store);
  EXPECT_EQ(KeysIn(store), (std::set<std::string>{"kept", written}));
}

/// Counts how often the root is listed.
class ListedFolders final : public ForwardingFolders {
 public:
  using ForwardingFolders::ForwardingFolders;
  std::vector<StoreEntry> ListEntries(std::string_view prefix) const override {
    ++lists;
    return ForwardingFolders::ListEntries(prefix);
  }
  void EraseAbandoned() override {
    ++lists;
    ForwardingFolders::EraseAbandoned();
  }
  mutable int lists = 0;
};

class ListedStore final : public ForwardingStore {
 public:
  explicit ListedStore(const std::shared_ptr<Store>& store) : ForwardingStore(store), listed(*store->folders()) {}
  StoreFolders* folders() const override { return &listed; }
  mutable ListedFolders listed;
};

TEST(TemporaryFiles, TakeASecondListOnlyWhereThereAreAny) {
  const TemporaryFolder folder;
  ListedStore store(std::make_shared<FilesystemStore>(folder.path().string()));
  for (int i = 0; i < 10; ++i) store.Set("0." + std::to_string(i), AsBytes("x"));
  FinishRemovals(store);
  EXPECT_EQ(store.listed.lists, 1);
  store.Set(MakeTemporaryName(), AsBytes("half"));
  FinishRemovals(store);
  EXPECT_EQ(store.listed.lists, 1 + 2);
  EXPECT_EQ(folder.CountFiles(), 10u);
}

TEST(TemporaryFiles, AreNotThoseWhoseNamesOnlyBeginSo) {
  const TemporaryFolder folder;
  const auto store = std::make_shared<FilesystemStore>(folder.path().string());
  const auto hierarchy = EditableHierarchy::Create(store, ZarrFormat::kV3);
  hierarchy->CreateArray("a", SquareArrayOf(ZarrFormat::kV3));
  std::set<std::string> planted;
  for (const std::string name : {".zarr-tmp-notes.txt", ".zarr-tmp-mine", ".zarr-tmp-1-2", ".zarr-tmp-archive-old",
                                 ".zarr-tmp-removal-1", ".zarr-tmp-0123456789abcdeg", ".zarr-tmp-0123456789abcdef0"}) {
    for (const std::string prefix : {"", "a/", "a/c/"}) planted.insert(prefix + name);
  }
  for (const std::string& key : planted) store->Set(key, AsBytes(R"({"documents": {}})"));
  FinishRemovals(*store);
  RemoveNode(*store, "");
  EXPECT_EQ(KeysIn(*store), planted);
}

TEST(TemporaryFiles, GoWithTheFolderOfANodeThatWasNotMade) {
  const TemporaryFolder folder;
  const auto store = std::make_shared<FilesystemStore>(folder.path().string());
  const auto hierarchy = EditableHierarchy::Create(store, ZarrFormat::kV3);
  store->Set("half/" + MakeTemporaryName(), AsBytes("half"));
  store->Set("being_made/" + MakeTemporaryName(), AsBytes("half"));
  std::filesystem::create_directory(folder.path() / "empty");
  store->Set("theirs/notes.txt", AsBytes("mine"));
  CheckNothingAt(*store, "half");
  hierarchy->CreateGroup("g");
  store->Set("g/a/" + MakeTemporaryName(), AsBytes("half"));
  EXPECT_EQ(hierarchy->Delete("g").count, 0u);
  EXPECT_FALSE(GetEntryKind(*store, "g"));
  store->Set("g/a/" + MakeTemporaryName(), AsBytes("half"));
  hierarchy->CreateGroup("g");
  const std::string name = ListEntries(*store, "being_made/")->front().name;
  const auto held = TryHold(*store, "being_made/" + name);
  const Leftovers leftovers = RemoveNode(*store, "");
  EXPECT_EQ(std::set(leftovers.examples.begin(), leftovers.examples.end()),
            (std::set<std::string>{"being_made", "theirs"}));
  EXPECT_EQ(KeysIn(*store), (std::set<std::string>{"being_made/" + name, "theirs/notes.txt"}));
}

TEST(TemporaryFiles, AreNoReasonNotToMakeAStore) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / MakeTemporaryName()) << "half";
  const auto store = std::make_shared<FilesystemStore>(folder.path().string());
  EditableHierarchy::Create(store, ZarrFormat::kV3);
  EXPECT_EQ(KeysIn(*store), std::set<std::string>{"zarr.json"});
}

TEST(NodeRemoval, NeedsNoRoomForItsRecord) {
  const auto store = std::make_shared<CountingStore>();
  const auto hierarchy = EditableHierarchy::Create(store, ZarrFormat::kV3);
  hierarchy->CreateArray("a", SquareArrayOf(ZarrFormat::kV3));
  int records = 0;
  store->OnWrite([&](const std::string& key) {
    if (!key.starts_with(kRemovalPrefix)) return;
    ++records;
    throw Error(ErrorKind::kIo, "full", key, "", "No space left on device");
  });
  EXPECT_EQ(RemoveNode(*store, "a").count, 0u);
  EXPECT_EQ(records, 1);
  EXPECT_FALSE(store->Exists("a/zarr.json"));
}

}  // namespace
}  // namespace zarr
