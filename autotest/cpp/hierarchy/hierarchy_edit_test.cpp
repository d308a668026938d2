// SPDX-License-Identifier: MIT
#include <filesystem>
#include <thread>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/edit_test_util.h"
#include "autotest/cpp/support/hierarchy_test_util.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/filesystem_store.h"

namespace zarr {
namespace {

using namespace test;

void AddKeys(const Store& store, const std::string& prefix, std::string* text) {
  const auto listing = *store.List(prefix);
  for (const std::string& key : listing.keys) {
    if (!text->empty()) *text += ' ';
    text->append(prefix).append(key);
  }
  for (const std::string& name : listing.prefixes) AddKeys(store, std::string(prefix).append(name).append("/"), text);
}

std::string KeysOf(const Store& store) {
  std::string text;
  AddKeys(store, "", &text);
  return text;
}

JsonNode DocumentAt(const Store& store, std::string_view key) {
  return JsonNode::Parse(store.GetText(key).value_or("null"), store.name(), key);
}

/// The keys of the stored consolidated metadata.
std::string ConsolidatedIn(const Store& store, ZarrFormat format) {
  const bool v3 = format == ZarrFormat::kV3;
  const JsonNode document = DocumentAt(store, v3 ? "zarr.json" : ".zmetadata");
  if (document.IsNull() || (v3 && !document.Has("consolidated_metadata"))) return "(none)";
  const JsonNode holder = v3 ? document.At("consolidated_metadata") : document;
  std::string text;
  for (const auto& [key, value] : holder.At("metadata").GetMembers()) text += (text.empty() ? "" : " ") + key;
  return text;
}

class Changes : public testing::TestWithParam<ZarrFormat> {
 protected:
  ZarrFormat format() const { return GetParam(); }
  bool v3() const { return format() == ZarrFormat::kV3; }
  /// A group with the children a (array), ab (array), and a.b (group) with an array a.
  std::shared_ptr<EditableHierarchy> Siblings() {
    auto hierarchy = EditableHierarchy::Create(store_, format());
    hierarchy->SetConsolidate(true);
    hierarchy->CreateArray("a", ArrayOf(format()));
    hierarchy->CreateArray("ab", ArrayOf(format()));
    hierarchy->CreateGroup("a.b");
    hierarchy->CreateArray("a.b/a", ArrayOf(format()));
    hierarchy->WriteConsolidated();
    return hierarchy;
  }
  std::string Chunk(std::string_view path) const { return std::string(path) + (v3() ? "/c/0" : "/0"); }

  std::shared_ptr<CountingStore> store_ = std::make_shared<CountingStore>();
};

INSTANTIATE_TEST_SUITE_P(Formats, Changes, testing::Values(ZarrFormat::kV2, ZarrFormat::kV3));

TEST_P(Changes, MakesAStore) {
  const auto hierarchy = EditableHierarchy::Create(store_, format(), Json(R"({"title": "t"})"));
  hierarchy->CreateGroup("g", Json(R"({"x": 1})"));
  const auto array = hierarchy->CreateArray("g/a", ArrayOf(format(), 5, R"({"units": "m"})"));
  EXPECT_EQ(array->shape(), Shape{5});
  EXPECT_EQ(array->metadata().attributes.Dump(), R"({"units":"m"})");
  EXPECT_EQ(hierarchy->OpenArray("g/a"), array);
  const auto opened = EditableHierarchy::Open(store_);
  EXPECT_EQ(opened->format(), format());
  EXPECT_EQ(opened->OpenGroup("").attributes.Dump(), R"({"title":"t"})");
  EXPECT_EQ(opened->OpenGroup("g").attributes.Dump(), R"({"x":1})");
  EXPECT_EQ(ListOf(*opened, "g"), "a:a");
  EXPECT_EQ(opened->OpenArray("g/a")->metadata().fill_value, ArrayOf(format()).fill_value);
  EXPECT_EQ(ConsolidatedIn(*store_, format()), "(none)");
}

TEST_P(Changes, RefusesWhatIsThere) {
  const auto hierarchy = Siblings();
  const auto kind = [](const auto& action) { return ErrorOf(action).kind(); };
  EXPECT_EQ(kind([&] { EditableHierarchy::Create(store_, format()); }), ErrorKind::kInvalidArgument);
  EXPECT_EQ(kind([&] { hierarchy->CreateArray("a", ArrayOf(format())); }), ErrorKind::kInvalidArgument);
  EXPECT_EQ(kind([&] { hierarchy->CreateGroup("a"); }), ErrorKind::kInvalidArgument);
  EXPECT_EQ(kind([&] { hierarchy->CreateGroup("none/b"); }), ErrorKind::kInvalidArgument);
  EXPECT_EQ(kind([&] { hierarchy->CreateGroup("a/b"); }), ErrorKind::kInvalidArgument);  // below an array
  for (const char* name :
       {"", "..", "...", "a//b", "__zmeta__", "zarr.json", ".zattrs", "a.b/.zgroup", ".zarr-tmp-1"}) {
    EXPECT_EQ(kind([&] { hierarchy->CreateGroup(name); }), ErrorKind::kInvalidArgument) << name;
  }
  EXPECT_EQ(kind([&] { SetAttributes(*hierarchy, "none", {}); }), ErrorKind::kNotFound);
  EXPECT_EQ(kind([&] { hierarchy->Delete(""); }), ErrorKind::kInvalidArgument);
  EXPECT_EQ(kind([&] { hierarchy->Delete("none"); }), ErrorKind::kNotFound);
  EXPECT_EQ(kind([&] { hierarchy->Rename("a", "ab"); }), ErrorKind::kInvalidArgument);
  EXPECT_EQ(kind([&] { hierarchy->Rename("a.b", "a.b/c"); }), ErrorKind::kInvalidArgument);
}

TEST_P(Changes, ConsolidatedMetadataAreStoredOnlyIfTheyChanged) {
  auto hierarchy = Siblings();
  const std::string all = v3() ? "a a.b a.b/a ab" : ".zgroup a.b/.zgroup a.b/a/.zarray a/.zarray ab/.zarray";
  EXPECT_EQ(ConsolidatedIn(*store_, format()), all);
  if (v3()) {
    EXPECT_FALSE(DocumentAt(*store_, "zarr.json").At("consolidated_metadata").At("must_understand").AsBoolean());
  }
  hierarchy = EditableHierarchy::Open(store_);
  EXPECT_TRUE(hierarchy->consolidated());
  const std::string key = v3() ? "zarr.json" : ".zmetadata";
  VersionStamp before, after;
  Bytes value;
  store_->Get(key, &value, &before, UINT64_MAX);
  hierarchy->WriteConsolidated();
  store_->Get(key, &value, &after, UINT64_MAX);
  EXPECT_EQ(before, after);
  hierarchy->CreateGroup("g");
  EXPECT_EQ(ListOf(*hierarchy), "a:a a.b:g ab:a g:g");
  EXPECT_EQ(ConsolidatedIn(*store_, format()), all);
  hierarchy->WriteConsolidated();
  EXPECT_EQ(ConsolidatedIn(*store_, format()), all + (v3() ? " g" : " g/.zgroup"));
}

TEST_P(Changes, ConsolidatedMetadataOfAStoreThatHadNone) {
  EditableHierarchy::Create(store_, format())->CreateArray("a", ArrayOf(format(), 4, R"({"u": 1})"));
  const auto hierarchy = EditableHierarchy::Open(store_);
  hierarchy->WriteConsolidated();
  EXPECT_EQ(ConsolidatedIn(*store_, format()), "(none)");
  hierarchy->SetConsolidate(true);
  hierarchy->WriteConsolidated();
  EXPECT_EQ(ConsolidatedIn(*store_, format()), v3() ? "a" : ".zgroup a/.zarray a/.zattrs");
  EXPECT_EQ(EditableHierarchy::Open(store_)->OpenArray("a")->metadata().attributes.Dump(), R"({"u":1})");
}

TEST_P(Changes, ConsolidatedMetadataThatWereNotUsedAreKeptRight) {
  Siblings();
  HierarchyOptions options;
  options.use_consolidated = false;
  const auto hierarchy = EditableHierarchy::Open(store_, options);
  hierarchy->CreateGroup("g");
  hierarchy->WriteConsolidated();
  EXPECT_EQ(ListOf(*EditableHierarchy::Open(store_)), "a:a a.b:g ab:a g:g");
}

TEST_P(Changes, GroupsBelowTheRootLoseConsolidatedMetadataOfTheirOwn) {
  Siblings();
  const std::string key = v3() ? "a.b/zarr.json" : "a.b/.zmetadata";
  const std::string own = v3() ? R"({"zarr_format": 3, "node_type": "group", "consolidated_metadata":
                                     {"kind": "inline", "must_understand": false, "metadata": {}}})"
                               : R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}}})";
  for (const bool erase : {false, true}) {
    store_->SetText(key, own);
    const auto hierarchy = EditableHierarchy::Open(store_);
    if (erase) hierarchy->Delete("a.b/a");
    if (!erase) hierarchy->CreateArray("a.b/new", ArrayOf(format()));
    EXPECT_EQ(store_->GetText(key).value_or("").find("consolidated"), std::string::npos);
  }
}

TEST_P(Changes, SetsAttributes) {
  const auto hierarchy = Siblings();
  SetAttributes(*hierarchy, "", Json(R"({"r": 1})"));
  SetAttributes(*hierarchy, "a", Json(R"({"a": 1})"));
  SetAttributes(*hierarchy, "a.b", Json(R"({"b": "\u00e9"})"));
  hierarchy->WriteConsolidated();
  for (const bool use_consolidated : {true, false}) {
    HierarchyOptions options;
    options.use_consolidated = use_consolidated;
    const auto opened = EditableHierarchy::Open(store_, options);
    EXPECT_EQ(opened->OpenGroup("").attributes.Dump(), R"({"r":1})");
    EXPECT_EQ(opened->OpenArray("a")->metadata().attributes.Dump(), R"({"a":1})");
    EXPECT_EQ(opened->OpenGroup("a.b").attributes.Dump(), R"({"b":"\u00e9"})");
  }
  const auto opened = EditableHierarchy::Open(store_);
  SetAttributes(*opened, "", {});
  SetAttributes(*opened, "a", {});
  EXPECT_EQ(ListOf(*EditableHierarchy::Open(store_)), "a:a a.b:g ab:a");
  const JsonNode attributes = opened->OpenArray("a")->metadata().attributes;
  EXPECT_TRUE(attributes.IsNull() || attributes.size() == 0);
}

TEST_P(Changes, DimensionNamesOutliveAttributes) {
  const auto hierarchy = EditableHierarchy::Create(store_, format());
  ArrayMetadata metadata = ArrayOf(format());
  metadata.dimension_names = {"x"};
  hierarchy->CreateArray("a", metadata);
  SetAttributes(*hierarchy, "a", Json(R"({"u": 1})"));
  EXPECT_EQ(hierarchy->OpenArray("a")->metadata().dimension_names[0], "x");
}

TEST_P(Changes, UpdatesAnArray) {
  const auto hierarchy = Siblings();
  const auto before = hierarchy->OpenArray("a");
  ArrayMetadata metadata = before->metadata();
  metadata.attributes = Json(R"({"n": 1})");
  const auto renamed = UpdateArray(*hierarchy, "a", metadata);
  EXPECT_EQ(renamed->id(), before->id());  // the caches still know the chunks
  metadata = renamed->metadata();
  metadata.shape = {9};
  metadata.chunk_grid = ChunkGrid::MakeRegular(metadata.shape, {2});
  const auto grown = UpdateArray(*hierarchy, "a", metadata);
  EXPECT_EQ(grown->shape(), Shape{9});
  EXPECT_EQ(before->shape(), Shape{4});
  EXPECT_NE(grown->id(), before->id());
  EXPECT_EQ(hierarchy->OpenArray("a"), grown);
  const auto back = UpdateArray(*hierarchy, "a", before->metadata());
  EXPECT_EQ(back->shape(), Shape{4});
  hierarchy->WriteConsolidated();
  EXPECT_EQ(EditableHierarchy::Open(store_)->OpenArray("a")->shape(), Shape{4});
}

TEST_P(Changes, WhatSaysTheSameIsNotPut) {
  Siblings();
  const std::string key = v3() ? "a/zarr.json" : "a/.zarray";
  const std::string foreign = store_->GetText(key).value() + "\n \n";
  store_->Set(key, AsBytes(foreign));
  const auto hierarchy = EditableHierarchy::Open(store_);
  UpdateArray(*hierarchy, "a", hierarchy->OpenArray("a")->metadata());
  EXPECT_EQ(store_->GetText(key), foreign);
}

TEST(Updates, WhatSaysTheSameInOtherWordsIsNotPut) {
  const auto store = std::make_shared<MemoryStore>();
  const std::string foreign = R"({"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "int8",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [4]}}, "chunk_key_encoding": {"name": "default"},
    "codecs": ["bytes"], "fill_value": 0})";
  store->Set("zarr.json", AsBytes(foreign));
  const auto hierarchy = EditableHierarchy::Open(store);
  UpdateArray(*hierarchy, "", hierarchy->OpenArray("")->metadata());
  EXPECT_EQ(store->GetText("zarr.json"), foreign);
}

TEST(Updates, AChangeThatCouldNotBeReadIsNotStored) {
  const std::string document =
      R"({"zarr_format": 3, "node_type": "array", "shape": [2], "data_type": "uint4", "chunk_grid": {"name": "regular",)"
      R"( "configuration": {"chunk_shape": [2]}}, "chunk_key_encoding": {"name": "default"}, "codecs": ["bytes"],)"
      R"( "fill_value": 0})";
  const auto store = std::make_shared<MemoryStore>();
  store->Set("zarr.json", AsBytes(document));
  const auto hierarchy = EditableHierarchy::Open(store);
  ArrayMetadata metadata = hierarchy->OpenArray("")->metadata();
  metadata.fill_value.bytes = {std::byte{255}};
  const Error error = ErrorOf([&] { UpdateArray(*hierarchy, "", metadata); });
  EXPECT_NE(std::string(error.what()).find("zarr.json: /fill_value: expected an integer 0..15, got 255"),
            std::string::npos)
      << error.what();
  EXPECT_EQ(store->GetText("zarr.json"), document);
}

TEST_P(Changes, DeletesANodeAndNotItsSiblings) {
  auto hierarchy = Siblings();
  for (const char* path : {"a", "ab", "a.b/a"}) store_->SetText(Chunk(path), "12345678");
  hierarchy = EditableHierarchy::Open(store_);
  hierarchy->Delete("a");
  EXPECT_EQ(ListOf(*hierarchy), "a.b:g ab:a");
  EXPECT_EQ(ListOf(*EditableHierarchy::Open(store_)),
            "a.b:g ab:a");  // at once, so that consolidated metadata never list a missing node
  EXPECT_FALSE(store_->Exists(Chunk("a")));
  EXPECT_TRUE(store_->Exists(Chunk("ab")));
  EXPECT_TRUE(store_->Exists(Chunk("a.b/a")));
  EXPECT_EQ(ErrorOf([&] { hierarchy->OpenArray("a"); }).kind(), ErrorKind::kNotFound);
  hierarchy->CreateArray("a", ArrayOf(format()));
  hierarchy->Delete("a.b");
  hierarchy->WriteConsolidated();
  EXPECT_EQ(ListOf(*EditableHierarchy::Open(store_)), "a:a ab:a");
}

TEST_P(Changes, AStoreThatHasBeenRemovedIsNotMadeAnew) {
  const auto hierarchy = Siblings();
  SetAttributes(*hierarchy, "a", Json(R"({"n": 1})"));
  std::istringstream keys(KeysOf(*store_));
  for (std::string key; keys >> key;) store_->Erase(key);
  EXPECT_THROW(hierarchy->WriteConsolidated(), Error);
  EXPECT_EQ(KeysOf(*store_), "");
}

TEST_P(Changes, ConsolidatedMetadataThatCouldNotBeStoredAreTriedAgain) {
  const auto hierarchy = EditableHierarchy::Create(store_, format());
  hierarchy->SetConsolidate(true);
  hierarchy->CreateArray("a", ArrayOf(format()));
  store_->OnWrite([](const std::string& key) { throw Error(ErrorKind::kIo, "", key, "", "no space left on device"); });
  EXPECT_THROW(hierarchy->WriteConsolidated(), Error);
  EXPECT_THROW(hierarchy->WriteConsolidated(), Error);
  store_->OnWrite({});
  hierarchy->WriteConsolidated();
  EXPECT_NE(ConsolidatedIn(*store_, format()), "(none)");
}

TEST_P(Changes, AFailedRenameLeavesTheNodeInConsolidatedMetadata) {
  auto hierarchy = EditableHierarchy::Create(store_, format());
  hierarchy->SetConsolidate(true);
  hierarchy->CreateArray("a", ArrayOf(format()));
  store_->Set(Chunk("a"), AsBytes("12345678"));
  hierarchy->WriteConsolidated();
  const std::string before = ConsolidatedIn(*store_, format());
  hierarchy = EditableHierarchy::Open(store_);
  store_->OnWrite([](const std::string& key) {
    if (key.starts_with("b/")) throw Error(ErrorKind::kIo, "", key, "", "no space left on device");
  });
  EXPECT_THROW(hierarchy->Rename("a", "b"), Error);
  EXPECT_EQ(ConsolidatedIn(*store_, format()), before);
  EXPECT_EQ(ListOf(*hierarchy), "a:a");
}

TEST_P(Changes, ARenameThatMovesNothingIsAnError) {
  const TemporaryFolder folder;
  const auto store = std::make_shared<FilesystemStore>(folder.path().string());
  const auto hierarchy = EditableHierarchy::Create(store, format());
  hierarchy->SetConsolidate(true);
  hierarchy->CreateArray("a", ArrayOf(format()));
  hierarchy->WriteConsolidated();
  const std::string before = ConsolidatedIn(*store, format());
  EXPECT_EQ(ErrorOf([&] { hierarchy->Rename("a", std::string(300, 'x')); }).kind(), ErrorKind::kIo);
  EXPECT_EQ(ConsolidatedIn(*store, format()), before);
  EXPECT_EQ(ListOf(*EditableHierarchy::Open(store)), "a:a");
  // Another program removes the array meanwhile.
  std::filesystem::remove_all(folder.path() / "a");
  EXPECT_EQ(ErrorOf([&] { hierarchy->Rename("a", "b"); }).kind(), ErrorKind::kNotFound);
  EXPECT_EQ(ListOf(*EditableHierarchy::Open(store)).find('b'), std::string::npos);
}

TEST_P(Changes, ARenameByCopiesOfAnArrayThatVanishesIsAnError) {
  auto hierarchy = EditableHierarchy::Create(store_, format());
  hierarchy->SetConsolidate(true);
  hierarchy->CreateArray("a", ArrayOf(format()));
  store_->Set(Chunk("a"), AsBytes("12345678"));
  hierarchy->WriteConsolidated();
  store_->OnWrite([this](const std::string& key) {
    if (key == Chunk("b")) store_->Erase(format() == ZarrFormat::kV3 ? "a/zarr.json" : "a/.zarray");
  });
  EXPECT_EQ(ErrorOf([&] { hierarchy->Rename("a", "b"); }).kind(), ErrorKind::kNotFound);
  EXPECT_EQ(ListOf(*EditableHierarchy::Open(store_)).find('b'), std::string::npos);
  EXPECT_FALSE(store_->Exists(Chunk("b")));
}

TEST_P(Changes, RenamesANodeAndNotItsSiblings) {
  const auto memory = std::make_shared<MemoryStore>("renamed in one step");
  for (const std::shared_ptr<Store>& store : {std::shared_ptr<Store>(store_), std::shared_ptr<Store>(memory)}) {
    auto hierarchy = EditableHierarchy::Create(store, format());
    hierarchy->SetConsolidate(true);
    hierarchy->CreateGroup("a", Json(R"({"x": 1})"));
    hierarchy->CreateGroup("ab");
    hierarchy->CreateArray("a/b", ArrayOf(format()));
    store->Set(Chunk("a/b"), AsBytes("12345678"));
    hierarchy->WriteConsolidated();
    hierarchy = EditableHierarchy::Open(store);
    hierarchy->Rename("a", "ab/c");
    EXPECT_EQ(ListOf(*hierarchy), "ab:g");
    EXPECT_EQ(ListOf(*EditableHierarchy::Open(store)), "ab:g");
    hierarchy->WriteConsolidated();
    for (const auto& reader : {hierarchy, EditableHierarchy::Open(store)}) {
      EXPECT_EQ(ListOf(*reader), "ab:g");
      EXPECT_EQ(ListOf(*reader, "ab"), "c:g");
      EXPECT_EQ(ListOf(*reader, "ab/c"), "b:a");
      EXPECT_EQ(reader->OpenGroup("ab/c").attributes.Dump(), R"({"x":1})");
    }
    EXPECT_TRUE(store->Exists(Chunk("ab/c/b")));
    EXPECT_EQ(KeysOf(*store).find("a/b"), std::string::npos) << KeysOf(*store);
    hierarchy->Rename("ab/c/b", "top");
    hierarchy->Delete("ab");
    hierarchy->WriteConsolidated();
    EXPECT_EQ(ListOf(*EditableHierarchy::Open(store)), "top:a");
    EXPECT_TRUE(store->Exists(Chunk("top")));
  }
}

TEST_P(Changes, WithoutListing) {
  store_->DisableListing();
  const auto hierarchy = EditableHierarchy::Create(store_, format());
  hierarchy->SetConsolidate(true);
  hierarchy->CreateArray("a", ArrayOf(format()));
  EXPECT_EQ(ListOf(*hierarchy), "a:a");
  hierarchy->WriteConsolidated();
  EXPECT_EQ(ListOf(*EditableHierarchy::Open(store_)), "a:a");
  EXPECT_EQ(ErrorOf([&] { hierarchy->Delete("a"); }).kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(ErrorOf([&] { hierarchy->Rename("a", "b"); }).kind(), ErrorKind::kUnsupported);
  EXPECT_EQ(ListOf(*hierarchy), "a:a");
}

TEST_P(Changes, ManyThreads) {
  const auto hierarchy = Siblings();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const std::string name = "n" + std::to_string(i);
      for (int k = 0; k < 20; ++k) {
        hierarchy->CreateArray(name, ArrayOf(format()));
        SetAttributes(*hierarchy, name, Json(R"({"k": 1})"));
        hierarchy->List("");
        hierarchy->WriteConsolidated();
        if (k < 19) hierarchy->Delete(name);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ListOf(*EditableHierarchy::Open(store_)), "a:a a.b:g ab:a n0:a n1:a n2:a n3:a");
}

// --- roots that are arrays ---------------------------------------------------------------------------------------

TEST(RootArray, OfEveryFormat) {
  for (const ZarrFormat format : {ZarrFormat::kV1, ZarrFormat::kV2, ZarrFormat::kV3}) {
    const auto store = std::make_shared<CountingStore>();
    const auto hierarchy = EditableHierarchy::CreateRootArray(store, ArrayOf(format, 4, R"({"a": 1})"));
    hierarchy->SetConsolidate(true);
    EXPECT_EQ(hierarchy->Probe(""), NodeKind::kArray);
    SetAttributes(*hierarchy, "", Json(R"({"a": 2})"));
    EXPECT_EQ(hierarchy->OpenArray("")->metadata().attributes.Dump(), R"({"a":2})");
    ArrayMetadata metadata = hierarchy->OpenArray("")->metadata();
    metadata.shape = {6};
    metadata.chunk_grid = ChunkGrid::MakeRegular(metadata.shape, {2});
    EXPECT_EQ(UpdateArray(*hierarchy, "", metadata)->shape(), Shape{6});
    hierarchy->WriteConsolidated();
    const auto opened = EditableHierarchy::Open(store);
    EXPECT_EQ(opened->format(), format);
    EXPECT_EQ(opened->OpenArray("")->shape(), Shape{6});
    EXPECT_EQ(opened->OpenArray("")->metadata().attributes.Dump(), R"({"a":2})");
    EXPECT_EQ(KeysOf(*store), format == ZarrFormat::kV1   ? "attrs meta"
                              : format == ZarrFormat::kV2 ? ".zarray .zattrs"
                                                          : "zarr.json");
  }
}

TEST(RootArray, V1HasNothingBelow) {
  const auto hierarchy =
      EditableHierarchy::CreateRootArray(std::make_shared<CountingStore>(), ArrayOf(ZarrFormat::kV1));
  EXPECT_EQ(ErrorOf([&] { hierarchy->CreateGroup("g"); }).kind(), ErrorKind::kInvalidArgument);
  EXPECT_EQ(ErrorOf([] { EditableHierarchy::Create(std::make_shared<CountingStore>(), ZarrFormat::kV1); }).kind(),
            ErrorKind::kUnsupported);
}

}  // namespace
}  // namespace zarr
