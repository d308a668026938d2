// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editable_hierarchy.h"

#include "autotest/cpp/support/edit_test_util.h"
#include "autotest/cpp/support/hierarchy_test_util.h"

namespace zarr {
namespace {

using namespace test;

// --- the root ----------------------------------------------------------------------------------------------------

TEST(Hierarchy, OpensRootsOfEveryFormat) {
  const std::string v3_array = V3Array();
  const std::tuple<Documents, ZarrFormat, NodeKind> roots[] = {
      {{{"zarr.json", v3_array}}, ZarrFormat::kV3, NodeKind::kArray},
      {{{"zarr.json", kV3Group}}, ZarrFormat::kV3, NodeKind::kGroup},
      {{{".zarray", kV2Array}}, ZarrFormat::kV2, NodeKind::kArray},
      {{{".zgroup", kV2Group}}, ZarrFormat::kV2, NodeKind::kGroup},
      {{{"meta", kV1Array}, {"attrs", "{}"}}, ZarrFormat::kV1, NodeKind::kArray},
      {{{"__zmeta__", kV0Array}}, ZarrFormat::kV0, NodeKind::kArray},
  };
  for (const auto& [documents, format, kind] : roots) {
    const auto hierarchy = Open(documents);
    EXPECT_EQ(hierarchy->format(), format) << documents[0].first;
    EXPECT_EQ(hierarchy->Probe(""), kind) << documents[0].first;
    EXPECT_FALSE(hierarchy->consolidated());
    if (kind == NodeKind::kArray) {
      EXPECT_EQ(hierarchy->OpenArray("")->metadata().zarr_format, format);
      EXPECT_EQ(ErrorOf([&] { hierarchy->OpenGroup(""); }).kind(), ErrorKind::kNotFound);
    } else {
      EXPECT_EQ(hierarchy->OpenGroup("").zarr_format, format);
      EXPECT_EQ(ErrorOf([&] { hierarchy->OpenArray(""); }).kind(), ErrorKind::kNotFound);
    }
    EXPECT_EQ(ListOf(*hierarchy, ""), "");
    EXPECT_EQ(hierarchy->Probe("nosuch"), std::nullopt);
    EXPECT_EQ(ErrorOf([&] { hierarchy->OpenArray("nosuch"); }).kind(), ErrorKind::kNotFound);
    EXPECT_EQ(ErrorOf([&] { hierarchy->OpenGroup("nosuch"); }).kind(), ErrorKind::kNotFound);
  }
}

TEST(Hierarchy, WhatIsNoNodeIsNotFound) {
  ExpectOpenError({}, ErrorKind::kNotFound, "expected a Zarr array or group");
  ExpectOpenError({{"readme.txt", "hello"}, {"folder/file", "x"}}, ErrorKind::kNotFound, "expected a Zarr");
}

TEST(Hierarchy, NewerFormatsGoFirst) {
  const std::string v3_array = V3Array();
  EXPECT_EQ(Open({{"zarr.json", kV3Group}, {".zarray", kV2Array}, {"meta", kV1Array}})->format(), ZarrFormat::kV3);
  EXPECT_EQ(Open({{".zarray", kV2Array}, {"meta", kV1Array}, {"__zmeta__", kV0Array}})->format(), ZarrFormat::kV2);
  const auto both = Open({{"zarr.json", kV3Group}, {"a/zarr.json", v3_array}, {"a/.zarray", kV2Array}});
  EXPECT_EQ(both->OpenArray("a")->metadata().zarr_format, ZarrFormat::kV3);
}

TEST(Hierarchy, AnArrayGoesBeforeAGroup) {
  const auto hierarchy = Open({{".zgroup", kV2Group}, {".zarray", kV2Array}});
  EXPECT_EQ(hierarchy->Probe(""), NodeKind::kArray);
  EXPECT_EQ(hierarchy->OpenArray("")->shape(), (Shape{4}));
}

TEST(Hierarchy, BrokenRootsSayWhatIsWrong) {
  ExpectOpenError({{"zarr.json", "{"}}, ErrorKind::kCorrupt, "/zarr.json: invalid JSON");
  ExpectOpenError({{"zarr.json", "[]"}}, ErrorKind::kCorrupt, "/zarr.json: expected an object");
  ExpectOpenError({{"zarr.json", R"({"zarr_format": 2})"}}, ErrorKind::kUnsupported, "/zarr.json: /zarr_format");
  ExpectOpenError({{"zarr.json", R"({"zarr_format": 3, "node_type": "banana"})"}}, ErrorKind::kCorrupt, "/node_type");
  ExpectOpenError({{"zarr.json", R"({"zarr_format": 3, "node_type": "group", "ext": {}})"}}, ErrorKind::kUnsupported,
                  "/ext");
  ExpectOpenError({{"meta", R"({"shape": [1], "chunks": [1)"}}, ErrorKind::kCorrupt, "/meta: invalid JSON");
}

TEST(Hierarchy, BrokenArraysOfV2SayWhatIsWrongWhenTheyAreOpened) {
  for (const char* text : {"", "{", "null", R"({"zarr_format": 9})"}) {
    const auto hierarchy = Open({{".zarray", text}});
    EXPECT_EQ(hierarchy->Probe(""), NodeKind::kArray);
    const Error error = ErrorOf([&] { hierarchy->OpenArray(""); });
    EXPECT_NE(std::string_view(error.what()).find("/.zarray: "), std::string_view::npos) << error.what();
  }
}

TEST(Hierarchy, FailuresOfTheStoreAreNoAbsence) {
  for (const char* key : {"zarr.json", ".zmetadata", ".zarray", "__zmeta__", "meta"}) {
    const auto store = StoreOf({});
    store->FailAt(key);
    EXPECT_EQ(ErrorOf([&] { EditableHierarchy::Open(store); }).kind(), ErrorKind::kIo) << key;
  }
}

// --- v1 and before -----------------------------------------------------------------------------------------------

TEST(Hierarchy, OpensV1WithItsAttributes) {
  const auto hierarchy = Open({{"meta", kV1Array}, {"attrs", R"({"foo": NaN})"}});
  EXPECT_EQ(hierarchy->OpenArray("")->metadata().attributes.Dump(), R"({"foo":NaN})");
  EXPECT_TRUE(Open({{"meta", kV1Array}})->OpenArray("")->metadata().attributes.IsNull());
}

TEST(Hierarchy, OrderFOfV1CanBeTakenLiterally) {
  const Documents documents = {{"meta", kV1Array}};
  HierarchyOptions literal;
  literal.metadata.v1_order_literal = true;
  for (const bool literally : {false, true}) {
    const auto store = StoreOf(documents);
    store->Set("0.0", LittleEndianOf<std::int32_t>({0, 1, 2, 3, 4, 5}));
    const auto array = EditableHierarchy::Open(store, literally ? literal : HierarchyOptions())->OpenArray("");
    EXPECT_EQ(Read(*array, WholeOf(*array)), literally ? (std::vector<std::int32_t>{0, 2, 4, 1, 3, 5})
                                                       : (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5}));
  }
}

TEST(Hierarchy, OtherFilesCalledMetaAreNoArrays) {
  for (const char* text : {"hello", "{}", R"({"shape": [1]})", R"(["chunks"])", "not json", ""}) {
    ExpectOpenError({{"meta", text}}, ErrorKind::kNotFound, "expected a Zarr");
  }
}

TEST(Hierarchy, OpensZmetaWithItsAttributes) {
  const auto hierarchy = Open({{"__zmeta__", kV0Array}, {"__zattr__", R"({"a": 1})"}});
  const auto array = hierarchy->OpenArray("");
  EXPECT_EQ(array->metadata().attributes.At("a").AsInt64(), 1);
  EXPECT_EQ(array->MakeChunkKey({1}), "__zdata__/1.blosc");
}

TEST(Hierarchy, PicklesAreRefused) {
  for (const std::string_view pickle : {"(dp0\nS'shape'\np1\n(I4\ntp2\ns.", "\x80\x03}q\x00."}) {
    ExpectOpenError({{"__zmeta__", pickle}}, ErrorKind::kUnsupported, "/__zmeta__: a Python pickle");
  }
  ExpectOpenError({{"__zmeta__", "cos\nsystem\n(S'true'\ntR."}}, ErrorKind::kCorrupt, "/__zmeta__: invalid JSON");
}

// --- listing -----------------------------------------------------------------------------------------------------

TEST(Hierarchy, ListsNodesOfAllFormatsSorted) {
  const std::string v3_array = V3Array();
  const auto hierarchy = Open({{"zarr.json", kV3Group},
                               {"b/zarr.json", v3_array},
                               {"b/c/0", "x"},
                               {"a/zarr.json", kV3Group},
                               {"a/inner/zarr.json", v3_array},
                               {"v2/.zarray", kV2Array},
                               {"g2/.zgroup", kV2Group},
                               {"no_node/file", "x"},
                               {"file", "x"}});
  EXPECT_EQ(ListOf(*hierarchy, ""), "a:g b:a g2:g v2:a");
  EXPECT_EQ(ListOf(*hierarchy, "a"), "inner:a");
  EXPECT_EQ(ListOf(*hierarchy, "b"), "");
  EXPECT_EQ(ListOf(*hierarchy, "nosuch"), "");
  EXPECT_EQ(hierarchy->OpenArray("a/inner")->path(), "a/inner");
  EXPECT_EQ(hierarchy->OpenArray("v2")->metadata().zarr_format, ZarrFormat::kV2);
}

TEST(Hierarchy, BrokenChildrenAreListedAndSayWhatIsWrong) {
  const auto hierarchy = Open({{"zarr.json", kV3Group}, {"bad/zarr.json", "{"}});
  EXPECT_EQ(ListOf(*hierarchy, ""), "bad:a");
  EXPECT_EQ(ErrorOf([&] { hierarchy->OpenArray("bad"); }).key(), "bad/zarr.json");
}

TEST(Hierarchy, AStoreThatCannotListHasNoKnownChildren) {
  const auto store = StoreOf({{"zarr.json", kV3Group}, {"a/zarr.json", V3Array()}});
  store->DisableListing();
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_EQ(ListOf(*hierarchy, ""), "");
  EXPECT_EQ(hierarchy->OpenArray("a")->shape(), (Shape{4}));
}

TEST(Hierarchy, AFolderOfNodesIsAnImpliedGroup) {
  const std::string v3_array = V3Array();
  const auto hierarchy = Open({{"x/zarr.json", v3_array}, {"y/.zarray", kV2Array}, {"file", ""}});
  EXPECT_EQ(hierarchy->Probe(""), NodeKind::kGroup);
  EXPECT_TRUE(hierarchy->OpenGroup("").attributes.IsNull());
  EXPECT_EQ(ListOf(*hierarchy, ""), "x:a y:a");
  EXPECT_EQ(hierarchy->OpenArray("y")->shape(), (Shape{4}));
}

TEST(Hierarchy, FoldersWithNodesBelowThemAreImpliedGroups) {
  const std::string array = V3Array();
  const auto hierarchy = Open({{"zarr.json", kV3Group},
                               {"p/q/r/zarr.json", array},
                               {"other/deep/file", ""},
                               {".hidden/a/zarr.json", array},
                               {"bad/a/zarr.json", "{"}});
  EXPECT_EQ(ListOf(*hierarchy, ""), "bad:g p:g");
  EXPECT_EQ(ListOf(*hierarchy, "p"), "q:g");
  EXPECT_EQ(ListOf(*hierarchy, "p/q"), "r:a");
  EXPECT_EQ(hierarchy->OpenArray("p/q/r")->shape(), (Shape{4}));
  EXPECT_TRUE(hierarchy->OpenGroup("p/q").attributes.IsNull());
  EXPECT_EQ(hierarchy->Probe("other"), std::nullopt);
  EXPECT_EQ(hierarchy->Probe("other/deep"), std::nullopt);
}

TEST(Hierarchy, ImpliedGroupsGetAttributesButAreNotRemoved) {
  const auto store = StoreOf({{".zgroup", kV2Group}, {"p/a/.zarray", kV2Array}, {"p/file", "x"}});
  const auto hierarchy = EditableHierarchy::Open(store);
  for (const auto& change : std::initializer_list<std::function<void()>>{[&] { hierarchy->Delete("p"); },
                                                                         [&] { hierarchy->Rename("p", "q"); }}) {
    ExpectError(change, ErrorKind::kUnsupported, "", "no metadata of its own");
  }
  EXPECT_TRUE(store->Exists("p/a/.zarray"));
  SetAttributes(*hierarchy, "p", Json(R"({"x": 1})"));
  EXPECT_EQ(EditableHierarchy::Open(store)->OpenGroup("p").attributes, Json(R"({"x": 1})"));
  EXPECT_TRUE(store->Exists("p/.zgroup"));
}

TEST(Hierarchy, AnImpliedGroupIsLookedForInAFewFoldersOnly) {
  const auto store = StoreOf({{"zarr.json", kV3Group}});
  for (int i = 0; i < 1000; ++i) store->Set("p/" + std::to_string(i) + "/x/file", {});
  const auto hierarchy = EditableHierarchy::Open(store);
  store->TakeReads();
  EXPECT_EQ(ListOf(*hierarchy, ""), "");
  EXPECT_LT(store->TakeReads(), 10000);
}

TEST(Hierarchy, AListLooksIntoAFewThousandFoldersOnly) {
  std::string chain;
  for (int i = 0; i < 90; ++i) chain += "d/";
  const auto count_reads = [&](int folders) {
    const auto store = StoreOf({{"zarr.json", kV3Group}});
    for (int i = 0; i < folders; ++i) store->Set(std::to_string(i) + "/" + chain + "file", {});
    const auto hierarchy = EditableHierarchy::Open(store);
    store->TakeReads();
    EXPECT_EQ(ListOf(*hierarchy, ""), "");
    return store->TakeReads();
  };
  const int of_some = count_reads(120);
  EXPECT_LT(count_reads(360), 2 * of_some);
}

TEST(Hierarchy, OfAListEachFolderIsLookedInto) {
  std::string chain;
  for (int i = 0; i < 90; ++i) chain += "d/";
  const auto store = StoreOf({{"zarr.json", kV3Group}, {"z/a/zarr.json", V3Array()}});
  for (int i = 0; i < 120; ++i) store->Set(std::to_string(i) + "/" + chain + "file", {});
  EXPECT_EQ(ListOf(*EditableHierarchy::Open(store), ""), "z:g");
}

TEST(Hierarchy, OnANetworkOtherFormatsAreNotLookedFor) {
  const auto store = StoreOf({{"zarr.json", kV3Group}, {"a/zarr.json", V3Array()}, {"b/.zarray", kV2Array}}, 32);
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_EQ(store->TakeReads(), 1);
  EXPECT_EQ(hierarchy->Probe("a"), NodeKind::kArray);
  EXPECT_EQ(hierarchy->Probe("b"), std::nullopt);
  EXPECT_EQ(store->TakeReads(), 2);
}

TEST(Hierarchy, PathsThatClimbAreRefused) {
  const auto hierarchy = Open({{"zarr.json", kV3Group}});
  for (const char* path : {"..", "../x", "a/../b", "/a", "a//b", "a/", "."}) {
    EXPECT_EQ(ErrorOf([&] { hierarchy->Probe(path); }).kind(), ErrorKind::kInvalidArgument) << path;
    EXPECT_EQ(ErrorOf([&] { hierarchy->OpenArray(path); }).kind(), ErrorKind::kInvalidArgument) << path;
    EXPECT_EQ(ErrorOf([&] { hierarchy->OpenGroup(path); }).kind(), ErrorKind::kInvalidArgument) << path;
  }
}

// --- opening -----------------------------------------------------------------------------------------------------

TEST(Hierarchy, AnOpenArrayIsOpenedOnce) {
  const auto store = StoreOf({{"zarr.json", kV3Group}, {"a/zarr.json", V3Array()}});
  const auto hierarchy = EditableHierarchy::Open(store);
  auto array = hierarchy->OpenArray("a");
  store->TakeReads();
  EXPECT_EQ(hierarchy->OpenArray("a"), array);
  EXPECT_EQ(store->TakeReads(), 0);
  array = nullptr;
  store->SetText("a/zarr.json", Metadata({9}, "[2]", kPlain));
  EXPECT_EQ(hierarchy->OpenArray("a")->shape(), (Shape{9}));
}

TEST(Hierarchy, ReadsAttributesOfGroups) {
  EXPECT_EQ(Open({{"zarr.json", kV3Group}})->OpenGroup("").attributes.At("from").AsString(), "v3");
  const auto v2 = Open({{".zgroup", kV2Group}, {"g/.zgroup", kV2Group}, {"g/.zattrs", R"({"a": 1})"}});
  EXPECT_TRUE(v2->OpenGroup("").attributes.IsNull());
  EXPECT_EQ(v2->OpenGroup("g").attributes.At("a").AsInt64(), 1);
}

TEST(Hierarchy, ArraysReadThroughIt) {
  const auto store = StoreOf({{"zarr.json", kV3Group}, {"g/a/zarr.json", V3Array()}});
  store->Set("g/a/c/1", LittleEndianOf<std::int32_t>({7, 8}));
  const auto array = EditableHierarchy::Open(store)->OpenArray("g/a");
  EXPECT_EQ(Read(*array, WholeOf(*array)), (std::vector<std::int32_t>{3, 3, 7, 8}));
}

}  // namespace
}  // namespace zarr
