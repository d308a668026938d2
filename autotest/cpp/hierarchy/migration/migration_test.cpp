// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/migration/migration.h"

#include <filesystem>

#include "autotest/cpp/support/array_test_util.h"
#include "autotest/cpp/support/fault_store.h"
#include "autotest/cpp/support/links.h"
#include "autotest/cpp/support/temporary_folder.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/migration/migration_undo.h"
#include "zarrlib/store/filesystem_store.h"

namespace zarr {
namespace {

using namespace test;
using namespace std::string_literals;

constexpr std::string_view kV1 = R"({"zarr_format": 1, "shape": [2, 3], "chunks": [2, 2], "dtype": "<i2",
    "compression": "none", "compression_opts": null, "fill_value": 9, "order": "F"})";
constexpr std::string_view kV2Group = R"({"zarr_format": 2})";

std::string V2Array(std::string_view members = "") {
  return R"({"zarr_format": 2, "shape": [2, 3], "chunks": [2, 2], "dtype": ">i2", "compressor": null,
             "filters": null, "fill_value": 9, "order": "F")" +
         std::string(members) + "}";
}

std::shared_ptr<MemoryStore> StoreOf(const std::vector<std::pair<std::string, std::string>>& values) {
  static std::atomic<int> counter{0};
  auto store = std::make_shared<MemoryStore>("migration" + std::to_string(counter++));
  for (const auto& [key, value] : values) store->Set(key, AsBytes(value));
  return store;
}

std::vector<std::int16_t> ValuesOf(const std::shared_ptr<Store>& store, std::string_view path) {
  const auto array = EditableHierarchy::Open(store)->OpenArray(path);
  std::vector<std::int16_t> values(ComputeProduct(array->shape()));
  const Selection all = Selection::FromBox({Shape(array->rank(), 0), array->shape()});
  array->Read(all, {reinterpret_cast<std::byte*>(values.data()), GetContiguousStrides(array->shape(), 2), nullptr});
  return values;
}

std::string KeysOf(const MigrationPlan& plan) {
  std::string text;
  for (const auto& document : plan.documents) text += (text.empty() ? "" : " ") + document.key;
  return text;
}

/// The document of the node at a path, such as "zarr.json".
ZarrFormat FormatOf(const std::shared_ptr<Store>& store, std::string_view path) {
  return EditableHierarchy::Open(store)->OpenArray(path)->metadata().zarr_format;
}

std::string Bytes16(std::initializer_list<std::int16_t> values) {
  const Bytes bytes = LittleEndianOf(values);
  return std::string(AsText(bytes));
}

TEST(Migration, V1KeepsTheOrderInWhichItIsStored) {
  // zarr 1.x declares order F, but stores it only with blosc; with all other codecs it stores order C.
  const auto store = StoreOf({{"meta", std::string(kV1)}, {"attrs", R"({"a": 1})"}, {"0.0", Bytes16({1, 2, 3, 4})}});
  const std::vector<std::int16_t> values = {1, 2, 9, 3, 4, 9};
  EXPECT_EQ(ValuesOf(store, ""), values);
  const MigrationPlan v2 = PlanMigration(*store, ZarrFormat::kV2);
  EXPECT_EQ(KeysOf(v2), ".zattrs .zarray");
  EXPECT_NE(v2.documents[1].text.find(R"("order": "C")"), std::string::npos) << v2.documents[1].text;
  Migrate(store.get(), v2);
  EXPECT_EQ(FormatOf(store, ""), ZarrFormat::kV2);
  EXPECT_EQ(ValuesOf(store, ""), values);
  Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV3));
  EXPECT_EQ(FormatOf(store, ""), ZarrFormat::kV3);
  EXPECT_EQ(ValuesOf(store, ""), values);
  EXPECT_EQ(EditableHierarchy::Open(store)->OpenArray("")->metadata().attributes.Dump(), R"({"a":1})");

  EXPECT_EQ(DeleteOldMetadata(store.get()), (std::vector<std::string>{".zarray", ".zattrs", "meta", "attrs"}));
  EXPECT_EQ(ValuesOf(store, ""), values);
  EXPECT_TRUE(DeleteOldMetadata(store.get()).empty());
}

TEST(Migration, V1ToV3AtOnce) {
  const auto store = StoreOf({{"meta", std::string(kV1)}, {"attrs", "{}"}, {"0.0", Bytes16({1, 2, 3, 4})}});
  Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV3));
  EXPECT_EQ(FormatOf(store, ""), ZarrFormat::kV3);
  EXPECT_EQ(ValuesOf(store, ""), (std::vector<std::int16_t>{1, 2, 9, 3, 4, 9}));
}

TEST(Migration, AHierarchyWithItsConsolidatedMetadata) {
  const std::string attributes = R"({"_ARRAY_DIMENSIONS": ["y", "x"], "units": "m"})";
  const std::string consolidated =
      R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}, "g/.zgroup":
      {"zarr_format": 2}, "g/a/.zarray": )" +
      V2Array() + R"(, "g/a/.zattrs": )" + attributes + "}}";
  const auto store = StoreOf({{".zgroup", std::string(kV2Group)},
                              {".zattrs", R"({"r": NaN})"},
                              {"g/.zgroup", std::string(kV2Group)},
                              {"g/a/.zarray", V2Array()},
                              {"g/a/.zattrs", attributes},
                              {"g/a/0.0", "\1\0\0\1\0\2\0\3"s},
                              {"g/b/.zarray", V2Array(R"(, "dimension_separator": "/")")},
                              {"g/b/0/0", "\0\1\0\2\0\3\0\4"s},
                              {".zmetadata", consolidated}});
  const auto before = ValuesOf(store, "g/a");
  const auto slashes = EditableHierarchy::Open(store);
  const MigrationPlan plan = PlanMigration(*store, ZarrFormat::kV3);
  EXPECT_EQ(KeysOf(plan), "g/b/zarr.json g/a/zarr.json g/zarr.json zarr.json");
  EXPECT_EQ(plan.array_count, 2u);
  EXPECT_EQ(plan.group_count, 2u);
  Migrate(store.get(), plan);
  EXPECT_EQ(ValuesOf(store, "g/a"), before);
  EXPECT_EQ(ValuesOf(store, "g/b"), (std::vector<std::int16_t>{1, 3, 9, 2, 4, 9}));
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_TRUE(hierarchy->consolidated());
  EXPECT_EQ(hierarchy->format(), ZarrFormat::kV3);
  const auto array = hierarchy->OpenArray("g/a");
  EXPECT_EQ(array->metadata().dimension_names[1], "x");
  EXPECT_EQ(array->metadata().attributes.Dump(), R"({"units":"m"})");
  EXPECT_EQ(hierarchy->OpenGroup("").attributes.Dump(), R"({"r":NaN})");
  EXPECT_EQ(hierarchy->List("g").size(), 2u);
  EXPECT_TRUE(PlanMigration(*store, ZarrFormat::kV3).documents.empty());  // done
  DeleteOldMetadata(store.get());
  EXPECT_FALSE(store->Exists(".zmetadata"));
  EXPECT_FALSE(store->Exists("g/a/.zarray"));
  EXPECT_EQ(ValuesOf(store, "g/a"), before);
}

TEST(Migration, TheConsolidatedMetadataOfInnerGroups) {
  const auto consolidated = [](const std::string& key) {
    return R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}, ")" + key +
           "\": " + V2Array() + "}}";
  };
  const auto store = StoreOf({{".zgroup", std::string(kV2Group)},
                              {"g/.zgroup", std::string(kV2Group)},
                              {"g/a/.zarray", V2Array()},
                              {"g/.zmetadata", consolidated("a/.zarray")},
                              {"h/.zgroup", std::string(kV2Group)},
                              {"h/.zmetadata", consolidated("lost/.zarray")}});
  Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV3));
  const JsonNode document = test::Json(*store->GetText("g/zarr.json"));
  const JsonNode inner = document.At("consolidated_metadata").At("metadata");
  EXPECT_EQ(inner.size(), 1U);
  EXPECT_EQ(inner.At("a"), test::Json(*store->GetText("g/a/zarr.json")));
  EXPECT_FALSE(test::Json(*store->GetText("zarr.json")).Has("consolidated_metadata"));
  DeleteOldMetadata(store.get());
  EXPECT_FALSE(store->Exists("g/.zmetadata"));
  EXPECT_TRUE(store->Exists("h/.zmetadata"));  // it names a node that has no other metadata
}

TEST(Migration, TheConsolidatedMetadataOfAnOlderV3RootGetWhatIsMigrated) {
  const auto store =
      StoreOf({{"zarr.json", R"({"zarr_format": 3, "node_type": "group", "other": {"must_understand": false},
                                "consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": {}}})"},
               {"g/.zgroup", std::string(kV2Group)},
               {"g/a/.zarray", V2Array()}});
  Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV3));
  const JsonNode root = test::Json(*store->GetText("zarr.json"));
  EXPECT_TRUE(root.Has("other"));
  const JsonNode listed = root.At("consolidated_metadata").At("metadata");
  EXPECT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed.At("g/a"), test::Json(*store->GetText("g/a/zarr.json")));
}

TEST(Migration, AnInterruptedMigrationBelowAV3RootListsAllNodesInTheEnd) {
  const std::string root = R"({"zarr_format": 3, "node_type": "group", "consolidated_metadata": )";
  const auto store = StoreOf({{"zarr.json", root + R"({"kind": "inline", "must_understand": false, "metadata": {}}})"},
                              {"g/.zgroup", std::string(kV2Group)},
                              {"g/a/.zarray", V2Array()}});
  MigrationPlan plan = PlanMigration(*store, ZarrFormat::kV3);
  plan.documents.pop_back();
  Migrate(store.get(), plan);
  Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV3));
  const JsonNode listed = test::Json(*store->GetText("zarr.json")).At("consolidated_metadata").At("metadata");
  EXPECT_EQ(listed.size(), 2U);
  EXPECT_TRUE(PlanMigration(*store, ZarrFormat::kV3).documents.empty());
  const auto without = StoreOf({{"zarr.json", root + "null}"}, {"g/.zgroup", std::string(kV2Group)}});
  Migrate(without.get(), PlanMigration(*without, ZarrFormat::kV3));
  EXPECT_TRUE(test::Json(*without->GetText("zarr.json")).At("consolidated_metadata").IsNull());
}

TEST(Migration, AFailureToReadIsNoAbsenceOfOldMetadata) {
  const auto store = StoreOf({{"meta", std::string(kV1)}, {"attrs", "{}"}});
  Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV2));
  const std::vector<std::string> expected = FindOldMetadata(*store);
  for (int number = 1, happened = 1; happened != 0; ++number) {
    SCOPED_TRACE(number);
    const FaultStore faulty(store, Fault::kFails, number);
    try {
      EXPECT_EQ(FindOldMetadata(faulty), expected);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kIo) << error.what();
    }
    happened = faulty.happened() ? 1 : 0;
  }
}

TEST(Migration, OldCodecsAreRemovedWhoseOptionsAreTheSame) {
  std::string meta(kV1);
  const std::string none = R"("none", "compression_opts": null)";
  meta.replace(meta.find(none), none.size(), R"("lzma", "compression_opts": {"check": 0, "format": 1, "preset": 1})");
  const auto store = StoreOf({{"meta", meta}, {"attrs", "{}"}});
  Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV2));
  EXPECT_EQ(DeleteOldMetadata(store.get()), (std::vector<std::string>{"meta", "attrs"}));
}

TEST(Migration, WhatWasInterruptedGoesOn) {
  const auto store =
      StoreOf({{".zgroup", std::string(kV2Group)},
               {"a/.zarray", V2Array()},
               {"b/.zarray", V2Array()},
               {".zmetadata", R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}}})"}});
  const MigrationPlan plan = PlanMigration(*store, ZarrFormat::kV3);
  store->Set(plan.documents[0].key, AsBytes(plan.documents[0].text));
  EXPECT_EQ(ErrorOf([&] { DeleteOldMetadata(store.get()); }).kind(), ErrorKind::kInvalidArgument);
  const MigrationPlan rest = PlanMigration(*store, ZarrFormat::kV3);
  EXPECT_EQ(KeysOf(rest), "a/zarr.json zarr.json");
  Migrate(store.get(), rest);
  EXPECT_EQ(EditableHierarchy::Open(store)->List("").size(), 2u);
}

TEST(Migration, NodesThatOnlyConsolidatedMetadataHave) {
  const auto store = StoreOf({{".zmetadata", R"({"zarr_consolidated_format": 1, "metadata": {".zgroup":
      {"zarr_format": 2}, "a/.zarray": )" + V2Array() +
                                                 "}}"}});
  const MigrationPlan plan = PlanMigration(*store, ZarrFormat::kV3);
  EXPECT_EQ(KeysOf(plan), "a/zarr.json zarr.json");
}

TEST(Migration, FoldersThatAreNoNodesAreLeftAlone) {
  const auto store = StoreOf({{".zgroup", std::string(kV2Group)},
                              {"theirs/a/.zarray", V2Array()},
                              {"theirs/b/zarr.json", R"({"zarr_format": 3, "node_type": "group"})"},
                              {"g/.zgroup", std::string(kV2Group)},
                              {"g/theirs/a/.zarray", V2Array()},
                              {"g/old/meta", std::string(kV1)},
                              {"g/other/meta", "text"},
                              {"g/meta/x", "a folder of that name"}});
  const MigrationPlan plan = PlanMigration(*store, ZarrFormat::kV3);
  EXPECT_EQ(KeysOf(plan), "g/zarr.json zarr.json");
  EXPECT_EQ(plan.v1_arrays, std::vector<std::string>{"g/old"});
  Migrate(store.get(), plan);
  EXPECT_EQ(DeleteOldMetadata(store.get()), (std::vector<std::string>{"g/.zgroup", ".zgroup"}));
  EXPECT_TRUE(store->Exists("theirs/a/.zarray"));
  EXPECT_TRUE(store->Exists("g/old/meta"));
}

TEST(Migration, GroupsThatOnlyConsolidatedMetadataImply) {
  const auto store = StoreOf({{"g/a/.zarray", V2Array()},
                              {"theirs/b/.zarray", V2Array()},
                              {".zmetadata", R"({"zarr_consolidated_format": 1, "metadata": {"g/a/.zarray": )" +
                                                 V2Array() + R"(, "notes/.zattrs": {}}})"}});
  EXPECT_EQ(KeysOf(PlanMigration(*store, ZarrFormat::kV3)), "g/a/zarr.json g/zarr.json zarr.json");
}

TEST(Migration, AFolderOfStoresIsNone) {
  const auto store = StoreOf({{"a.zarr/.zgroup", std::string(kV2Group)},
                              {"a.zarr/b/.zarray", V2Array()},
                              {"old/meta", std::string(kV1)},
                              {"mine/file", "text"}});
  const Error error = ErrorOf([&] { PlanMigration(*store, ZarrFormat::kV3); });
  EXPECT_EQ(error.kind(), ErrorKind::kNotFound);
  EXPECT_NE(error.message().find("there are a.zarr, old (v1)"), std::string::npos) << error.what();
  EXPECT_TRUE(ErrorOf([&] {
                PlanMigration(*StoreOf({{"__zmeta__", "{}"}}), ZarrFormat::kV3);
              }).kind() == ErrorKind::kUnsupported);
}

TEST(Migration, ReferencesAreNotMigrated) {
  const auto store = StoreOf({{".zmetadata", R"({"record_size": 10, "metadata": {".zgroup": {"zarr_format": 2},
      "a/.zarray": )" + V2Array() + "}}"}});
  EXPECT_EQ(ErrorOf([&] { PlanMigration(*store, ZarrFormat::kV3); }).kind(), ErrorKind::kUnsupported);
}

TEST(Migration, OnlyWhatIsTheArraysOwnIsRemoved) {
  // Files with the names of v1 documents, in a store that never was v1.
  const std::string other = R"({"shape": [7], "chunks": [7], "dtype": "<i2", "compression": "none",
      "compression_opts": null, "fill_value": 0})";
  for (const std::string& meta : {std::string("text"), std::string(R"({"chunks": 1})"), other}) {
    const auto store = StoreOf({{".zarray", V2Array()}, {"meta", meta}, {"attrs", "mine"}, {".zgroup.txt", "mine"}});
    Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV3));
    if (meta == other) {  // it looks like v1, and nothing tells which is right
      EXPECT_EQ(ErrorOf([&] { DeleteOldMetadata(store.get()); }).kind(), ErrorKind::kInvalidArgument);
      EXPECT_TRUE(store->Exists(".zarray"));
    } else {
      EXPECT_EQ(DeleteOldMetadata(store.get()), std::vector<std::string>{".zarray"});
    }
    EXPECT_EQ(store->GetText("meta"), meta);
    EXPECT_EQ(store->GetText("attrs"), "mine");
  }
  const auto attributes = StoreOf({{"a/.zattrs", "{}"}, {".zgroup", std::string(kV2Group)}});
  attributes->Set("a/zarr.json", AsBytes(R"({"zarr_format": 3, "node_type": "group"})"));
  Migrate(attributes.get(), PlanMigration(*attributes, ZarrFormat::kV3));
  EXPECT_EQ(DeleteOldMetadata(attributes.get()), std::vector<std::string>{".zgroup"});
  EXPECT_TRUE(attributes->Exists("a/.zattrs"));
}

TEST(Migration, FilesThatGdalNamesAfterADocumentGoWithIt) {
  const auto store = StoreOf({{".zgroup", std::string(kV2Group)},
                              {"a/.zarray", V2Array()},
                              {"a/.zarray.aux.xml", "points"},
                              {"a/.zarray.a.ovr", "overviews"},
                              {"a/.zarray.backup", "mine"}});
  const auto migrate = [&] { Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV3)); };
  migrate();
  EXPECT_EQ(store->GetText("a/zarr.json.aux.xml"), "points");
  EXPECT_EQ(store->GetText("a/zarr.json.a.ovr"), "overviews");
  EXPECT_FALSE(store->Exists("a/zarr.json.backup"));
  store->Set("a/zarr.json.aux.xml", AsBytes("other points"));
  UndoMigration(store.get());
  EXPECT_EQ(store->GetText("a/zarr.json.aux.xml"), "other points") << "not the copy any more";
  EXPECT_FALSE(store->Exists("a/zarr.json.a.ovr"));
  migrate();
  EXPECT_EQ(store->GetText("a/zarr.json.aux.xml"), "other points");
  DeleteOldMetadata(store.get());
  EXPECT_EQ(store->GetText("a/zarr.json.a.ovr"), "overviews");
  EXPECT_FALSE(store->Exists("a/.zarray.a.ovr") || store->Exists("a/.zarray.aux.xml"));
  EXPECT_TRUE(store->Exists("a/.zarray.backup"));
}

TEST(Migration, MetadataThatDoNotAgreeAreKept) {
  const auto store = StoreOf({{".zarray", V2Array()}});
  Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV3));
  std::string longer = V2Array();
  longer.replace(longer.find("[2, 3]"), 6, "[2, 4]");
  store->Set(".zarray", AsBytes(longer));
  const Error error = ErrorOf([&] { DeleteOldMetadata(store.get()); });
  EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
  EXPECT_NE(error.message().find("shape [2,4], [2,3]"), std::string::npos) << error.what();
  EXPECT_TRUE(store->Exists(".zarray"));

  const auto both = StoreOf({{".zarray", V2Array()}, {"zarr.json", R"({"zarr_format": 3, "node_type": "group"})"}});
  EXPECT_EQ(ErrorOf([&] { DeleteOldMetadata(both.get()); }).kind(), ErrorKind::kInvalidArgument);
  EXPECT_TRUE(both->Exists(".zarray"));
}

/// Migrates a store of v2, lets a writer of v2 replace a document, and tries to remove the old documents.
void ExpectOldIsKept(const std::string& key, const std::string& document, std::string_view message) {
  const auto store = StoreOf({{".zgroup", std::string(kV2Group)},
                              {".zattrs", R"({"title": "old", "limit": NaN})"},
                              {"a/.zarray", V2Array()},
                              {"a/.zattrs", R"({"title": "old", "_ARRAY_DIMENSIONS": ["y", "x"]})"}});
  Migrate(store.get(), PlanMigration(*store, ZarrFormat::kV3));
  EXPECT_EQ(FindOldMetadata(*store).size(), 4U);
  store->Set(key, AsBytes(document));
  const Error error = ErrorOf([&] { DeleteOldMetadata(store.get()); });
  EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
  EXPECT_NE(error.message().find(message), std::string::npos) << error.what();
  EXPECT_TRUE(store->Exists(".zgroup") && store->Exists("a/.zarray"));
}

TEST(Migration, WhatAWriterOfV2HasChangedSinceIsKept) {
  std::string compressed = V2Array();
  compressed.replace(compressed.find("null"), 4, R"({"id": "zlib", "level": 1})");
  ExpectOldIsKept("a/.zarray", compressed, "numcodecs.zlib");
  ExpectOldIsKept("a/.zattrs", R"({"title": "new", "_ARRAY_DIMENSIONS": ["y", "x"]})", "attributes");
  ExpectOldIsKept("a/.zattrs", R"({"title": "old", "_ARRAY_DIMENSIONS": ["y", "z"]})", "dimension names");
  ExpectOldIsKept(".zattrs", R"({"title": "new", "limit": NaN})", "attributes");
}

TEST(Migration, LinksOutOfTheStoreAreNotFollowed) {
  if (!test::HasLinks()) GTEST_SKIP() << "this process can make no links";
  namespace fs = std::filesystem;
  const TemporaryFolder temporary;
  const std::string folder = temporary.path().string();
  FilesystemStore(folder + "/theirs").Set(".zgroup", AsBytes(kV2Group));
  FilesystemStore(folder + "/theirs").Set("a/.zarray", AsBytes(V2Array()));
  FilesystemStore store(folder + "/store");
  store.Set(".zgroup", AsBytes(kV2Group));
  store.Set("b/.zarray", AsBytes(V2Array()));
  fs::create_directory_symlink("b", folder + "/store/inside");
  const MigrationPlan inside = PlanMigration(store, ZarrFormat::kV3);
  EXPECT_TRUE(inside.refused.empty());
  EXPECT_EQ(inside.array_count, 2u);

  fs::create_directory_symlink(folder + "/theirs", folder + "/store/out");
  const MigrationPlan plan = PlanMigration(store, ZarrFormat::kV3);
  ASSERT_EQ(plan.refused.size(), 1u);
  EXPECT_EQ(plan.refused[0].key(), "out");
  EXPECT_NE(plan.refused[0].message().find("link"), std::string::npos) << plan.refused[0].what();

  FilesystemStore theirs(folder + "/theirs");
  Migrate(&theirs, PlanMigration(theirs, ZarrFormat::kV3));
  Migrate(&store, PlanMigration(store, ZarrFormat::kV3));
  DeleteOldMetadata(&store);
  EXPECT_FALSE(store.Exists("b/.zarray"));
  EXPECT_TRUE(theirs.Exists(".zgroup"));
  EXPECT_TRUE(theirs.Exists("a/.zarray"));
}

TEST(Migration, AllIsCheckedBeforeAnythingIsWritten) {
  const auto store = StoreOf({{".zgroup", std::string(kV2Group)},
                              {"a/.zarray", V2Array()},
                              {"b/.zarray", V2Array(R"(, "filters": [{"id": "json2"}])")},
                              {"c/.zarray", V2Array(R"(, "dtype": [["x", "<i2", [2]]], "fill_value": null)")},
                              {"d/.zarray", V2Array(R"(, "dtype": [["x", "<i2"], ["y", ">i2"]], "fill_value": null)")},
                              {"zarr.json/.zarray", V2Array()}});
  const MigrationPlan plan = PlanMigration(*store, ZarrFormat::kV3);
  ASSERT_EQ(plan.refused.size(), 4u);
  EXPECT_EQ(plan.refused[0].key(), "zarr.json");
  EXPECT_EQ(plan.refused[1].pointer(), "/dtype");
  EXPECT_EQ(plan.refused[2].pointer(), "/dtype");
  EXPECT_EQ(plan.refused[3].key(), "b/.zarray");
  EXPECT_EQ(plan.refused[3].pointer(), "/filters/0");
  EXPECT_EQ(ErrorOf([&] { Migrate(store.get(), plan); }).kind(), ErrorKind::kUnsupported);
  EXPECT_FALSE(store->Exists("a/zarr.json"));
}

TEST(Migration, OfWhatIsNoOldStore) {
  const auto kind = [](const std::shared_ptr<MemoryStore>& store, ZarrFormat to) {
    return ErrorOf([&] { PlanMigration(*store, to); }).kind();
  };
  const std::string v3 = R"({"zarr_format": 3, "node_type": "group"})";
  EXPECT_EQ(kind(StoreOf({}), ZarrFormat::kV3), ErrorKind::kNotFound);
  EXPECT_EQ(kind(StoreOf({{"meta", "text"}}), ZarrFormat::kV3), ErrorKind::kNotFound);
  EXPECT_EQ(kind(StoreOf({{"zarr.json", v3}}), ZarrFormat::kV2), ErrorKind::kInvalidArgument);
  EXPECT_EQ(kind(StoreOf({{"meta", std::string(kV1)}}), ZarrFormat::kV1), ErrorKind::kInvalidArgument);
  EXPECT_TRUE(PlanMigration(*StoreOf({{"zarr.json", v3}}), ZarrFormat::kV3).documents.empty());
}

}  // namespace
}  // namespace zarr
