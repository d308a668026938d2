// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/formats/node_formats.h"

#include <functional>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/edit_test_util.h"
#include "autotest/cpp/support/hierarchy_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/migration/migration.h"
#include "zarrlib/hierarchy/resize.h"

namespace zarr {
namespace {

using namespace test;

constexpr std::string_view kV2ShortArray = R"({"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "<i2",
    "compressor": null, "filters": null, "fill_value": 0, "order": "C"})";
constexpr std::string_view kV1 = R"({"zarr_format": 1, "shape": [4], "chunks": [2], "dtype": "<i2",
    "compression": "none", "compression_opts": null, "fill_value": 0, "order": "C"})";

std::shared_ptr<MemoryStore> NewStore() {
  static std::atomic<int> counter{0};
  return std::make_shared<MemoryStore>("formats" + std::to_string(counter++));
}

/// A group "g" with an array "a", with consolidated metadata if wanted.
std::shared_ptr<MemoryStore> StoreOfV2(bool consolidated) {
  auto store = NewStore();
  store->Set(".zgroup", AsBytes(kV2Group));
  store->Set("g/.zgroup", AsBytes(kV2Group));
  store->Set("g/a/.zarray", AsBytes(kV2ShortArray));
  if (consolidated) {
    const std::string text = R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2},
        "g/.zgroup": {"zarr_format": 2}, "g/a/.zarray": )" +
                             std::string(kV2ShortArray) + "}}";
    store->Set(".zmetadata", AsBytes(text));
  }
  return store;
}

std::shared_ptr<MemoryStore> MigratedStore(bool consolidated) {
  auto store = StoreOfV2(consolidated);
  Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV3));
  return store;
}

std::string ContentOf(const Store& store, const std::string& prefix = "") {
  std::string content;
  const auto listing = store.List(prefix);
  for (const std::string& key : listing->keys) content += prefix + key + ":" + *store.GetText(prefix + key) + "\n";
  for (const std::string& name : listing->prefixes) content += ContentOf(store, prefix + name + "/");
  return content;
}

/// All changes of a hierarchy to its node "g/a", or "g".
std::vector<std::function<void(EditableHierarchy&)>> NodeChanges() {
  const auto update = [](EditableHierarchy& hierarchy, const std::function<void(ArrayMetadata*)>& edit) {
    ArrayMetadata metadata = hierarchy.OpenArray("g/a")->metadata();
    edit(&metadata);
    UpdateArray(hierarchy, "g/a", metadata);
  };
  return {
      [](EditableHierarchy& h) { SetAttributes(h, "g/a", Json(R"({"x": 1})")); },
      [](EditableHierarchy& h) { SetAttributes(h, "g", Json(R"({"x": 1})")); },
      [](EditableHierarchy& h) { h.Delete("g/a"); },
      [](EditableHierarchy& h) { h.Delete("g"); },
      [](EditableHierarchy& h) { h.Rename("g/a", "g/b"); },
      [](EditableHierarchy& h) { h.Rename("g", "h"); },
      [](EditableHierarchy& h) { h.CreateGroup("g/new"); },
      [](EditableHierarchy& h) { h.CreateArray("g/new", h.OpenArray("g/a")->metadata()); },
      [](EditableHierarchy& h) { ResizeArray(h, h.OpenArray("g/a"), {3}); },
      [](EditableHierarchy& h) { ResizeArray(h, h.OpenArray("g/a"), {9}); },
      [&](EditableHierarchy& h) {
        update(h, [](ArrayMetadata* metadata) { metadata->chunk_grid = ChunkGrid::MakeRegular({4}, {4}); });
      },
      [&](EditableHierarchy& h) {
        update(h, [](ArrayMetadata* metadata) { metadata->fill_value.bytes = BytesOf<std::int16_t>({7}); });
      },
  };
}

void ExpectRefused(const std::shared_ptr<Store>& store, std::string_view part, const HierarchyOptions& options = {}) {
  const std::string before = ContentOf(*store);
  int number = 0;
  for (const auto& change : NodeChanges()) {
    SCOPED_TRACE(number++);
    const auto hierarchy = EditableHierarchy::Open(store, options);
    const Error error = ErrorOf([&] { change(*hierarchy); });
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported) << error.what();
    EXPECT_NE(std::string_view(error.what()).find(part), std::string_view::npos) << error.what();
    EXPECT_NE(error.message().find("--delete-old"), std::string::npos) << error.what();
    EXPECT_EQ(ContentOf(*store), before);
  }
}

TEST(NodeFormats, NodesOfTwoFormatsAreNotChanged) {
  ExpectRefused(MigratedStore(false), "metadata of v2");
  HierarchyOptions options;
  options.use_consolidated = false;
  ExpectRefused(MigratedStore(true), "", options);
}

TEST(NodeFormats, ConsolidatedMetadataOfAnotherFormatCount) {
  const auto store = MigratedStore(true);
  for (const std::string key : {".zgroup", "g/.zgroup", "g/a/.zarray"}) store->Erase(key);
  ExpectRefused(store, ".zmetadata: ");
}

TEST(NodeFormats, InlineConsolidatedMetadataCountForNodesOfV2) {
  const auto store = StoreOfV2(false);
  const auto migrated = MigratedStore(true);
  store->Set("zarr.json", AsBytes(*migrated->GetText("zarr.json")));
  HierarchyOptions options;
  options.use_consolidated = false;
  ExpectRefused(store, "zarr.json: ", options);
}

TEST(NodeFormats, ARootArrayOfV1AndV2) {
  const auto store = NewStore();
  store->Set("meta", AsBytes(kV1));
  store->Set("attrs", AsBytes("{}"));
  Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV2));
  const std::string before = ContentOf(*store);
  const auto hierarchy = EditableHierarchy::Open(store);
  ExpectError([&] { ResizeArray(*hierarchy, hierarchy->OpenArray(""), {2}); }, ErrorKind::kUnsupported, "", "meta: ");
  ExpectError([&] { SetAttributes(*hierarchy, "", Json(R"({"x": 1})")); }, ErrorKind::kUnsupported, "", "of v1");
  EXPECT_EQ(ContentOf(*store), before);
}

TEST(NodeFormats, OneFormatIsChanged) {
  for (const bool consolidated : {false, true}) {
    const auto migrated = [&] {
      auto store = MigratedStore(consolidated);
      DeleteOldMetadata(store.get());
      return store;
    };
    int number = 0;
    for (const auto& change : NodeChanges()) {
      SCOPED_TRACE(number++);
      EXPECT_NO_THROW(change(*EditableHierarchy::Open(StoreOfV2(consolidated))));
      EXPECT_NO_THROW(change(*EditableHierarchy::Open(migrated())));
    }
  }
}

TEST(NodeFormats, WhatIsCalledMetaByChanceDoesNotCount) {
  const auto store = StoreOfV2(false);
  store->Set("g/meta/.zgroup", AsBytes(kV2Group));
  store->Set("g/a/meta", AsBytes(R"({"chunks": "none"})"));
  store->Set("meta", AsBytes("text"));
  const auto hierarchy = EditableHierarchy::Open(store);
  SetAttributes(*hierarchy, "g", Json(R"({"x": 1})"));
  SetAttributes(*hierarchy, "g/a", Json(R"({"x": 1})"));
  SetAttributes(*hierarchy, "", Json(R"({"x": 1})"));
}

TEST(NodeFormats, ADocumentOfV1ThatCannotBeReadIsNotTakenForNone) {
  const auto store = std::make_shared<CountingStore>();
  store->Set("zarr.json", AsBytes(R"({"zarr_format": 3, "node_type": "group", "attributes": {}})"));
  const auto hierarchy = EditableHierarchy::Open(store);
  store->FailAt("meta");
  ExpectError([&] { SetAttributes(*hierarchy, "", Json(R"({"x": 1})")); }, ErrorKind::kIo, "", "HTTP 500");
  EXPECT_EQ(store->GetText("zarr.json")->find("\"x\""), std::string::npos);
}

}  // namespace
}  // namespace zarr
