// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/hierarchy_test_util.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/hierarchy/editing/waiting_changes.h"

namespace zarr {
namespace {

using namespace test;

std::string ConsolidatedV2(std::string_view members) {
  return R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {"zarr_format": 2}, ".zattrs": {"r": 1},
      "a/.zarray": )" +
         std::string(kV2Array) + R"(, "g/.zgroup": {"zarr_format": 2}, "g/b/.zarray": )" + std::string(kV2Array) +
         R"(, "g/b/.zattrs": {"b": 2})" + std::string(members) + "}}";
}

std::string ConsolidatedV3(std::string_view members) {
  return R"({"zarr_format": 3, "node_type": "group", "attributes": {"r": 1}, "consolidated_metadata":
      {"kind": "inline", "must_understand": false, "metadata": {"a": )" +
         V3Array() + R"(, "g": {"zarr_format": 3, "node_type": "group", "attributes": {"g": 3}}, "g/b": )" + V3Array() +
         std::string(members) + "}}}";
}

TEST(HierarchyConsolidated, V2NeedsNoOtherDocument) {
  const std::string consolidated = ConsolidatedV2("");
  const auto store = StoreOf({{".zmetadata", consolidated}, {".zgroup", kV2Group}});
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_TRUE(hierarchy->consolidated());
  EXPECT_EQ(hierarchy->format(), ZarrFormat::kV2);
  store->TakeReads();
  EXPECT_EQ(hierarchy->OpenGroup("").attributes.At("r").AsInt64(), 1);
  EXPECT_EQ(hierarchy->OpenArray("a")->shape(), (Shape{4}));
  EXPECT_TRUE(hierarchy->OpenArray("a")->metadata().attributes.IsNull());
  EXPECT_EQ(hierarchy->OpenArray("g/b")->metadata().attributes.At("b").AsInt64(), 2);
  EXPECT_EQ(ListOf(*hierarchy, ""), "a:a g:g");
  EXPECT_EQ(ListOf(*hierarchy, "g"), "b:a");
  EXPECT_EQ(store->TakeReads(), 0);
}

TEST(HierarchyConsolidated, V3NeedsNoOtherDocument) {
  const std::string consolidated = ConsolidatedV3("");
  const auto store = StoreOf({{"zarr.json", consolidated}}, 32);
  const auto hierarchy = EditableHierarchy::Open(store);
  EXPECT_TRUE(hierarchy->consolidated());
  EXPECT_EQ(store->TakeReads(), 1);
  EXPECT_EQ(hierarchy->OpenGroup("").attributes.At("r").AsInt64(), 1);
  EXPECT_EQ(hierarchy->OpenGroup("g").attributes.At("g").AsInt64(), 3);
  EXPECT_EQ(hierarchy->OpenArray("g/b")->shape(), (Shape{4}));
  EXPECT_EQ(ListOf(*hierarchy, ""), "a:a g:g");
  EXPECT_EQ(ListOf(*hierarchy, "g"), "b:a");
  EXPECT_EQ(store->TakeReads(), 0);
}

TEST(HierarchyConsolidated, CanBeLeftAlone) {
  HierarchyOptions options;
  options.use_consolidated = false;
  const std::string v2 = ConsolidatedV2("");
  const auto hierarchy = Open({{".zmetadata", v2}, {".zgroup", kV2Group}, {"x/.zarray", kV2Array}}, options);
  EXPECT_FALSE(hierarchy->consolidated());
  EXPECT_EQ(ListOf(*hierarchy, ""), "x:a");
  const std::string v3 = ConsolidatedV3("");
  EXPECT_EQ(ListOf(*Open({{"zarr.json", v3}}, options), ""), "");
}

TEST(HierarchyConsolidated, NodesThatAreMissingThereAreFoundByTheirPath) {
  const std::string v2 = ConsolidatedV2("");
  EXPECT_EQ(Open({{".zmetadata", v2}, {"late/.zarray", kV2Array}})->OpenArray("late")->shape(), (Shape{4}));
  const std::string v3 = ConsolidatedV3("");
  const std::string late = V3Array();
  EXPECT_EQ(Open({{"zarr.json", v3}, {"late/zarr.json", late}})->OpenArray("late")->shape(), (Shape{4}));
}

TEST(HierarchyConsolidated, TellWhatTheyDoNotHaveWithoutTheStore) {
  for (const std::string& text : {ConsolidatedV2(""), ConsolidatedV3("")}) {
    const bool is_v2 = text.find("zarr_consolidated_format") != std::string::npos;
    const auto store = StoreOf({{is_v2 ? ".zmetadata" : "zarr.json", text}});
    const auto hierarchy = EditableHierarchy::Open(store);
    store->TakeReads();
    EXPECT_EQ(hierarchy->ProbeListed("a"), NodeKind::kArray);
    EXPECT_EQ(hierarchy->ProbeListed("g"), NodeKind::kGroup);
    EXPECT_EQ(hierarchy->ProbeListed("late"), std::nullopt);
    EXPECT_EQ(hierarchy->ProbeListed("g/late"), std::nullopt);
    EXPECT_EQ(store->TakeReads(), 0);
  }
}

TEST(HierarchyConsolidated, WhatIsThereGoesBeforeTheStore) {
  const std::string v2 = ConsolidatedV2("");
  const auto hierarchy = Open({{".zmetadata", v2}, {"a/.zarray", "broken"}, {"a/.zattrs", R"({"stale": 1})"}});
  EXPECT_TRUE(hierarchy->OpenArray("a")->metadata().attributes.IsNull());
}

TEST(HierarchyConsolidated, GroupsMayBeImplied) {
  const std::string v2 = ConsolidatedV2(R"(, "p/q/r/.zarray": )" + std::string(kV2Array));
  const auto hierarchy = Open({{".zmetadata", v2}});
  EXPECT_EQ(ListOf(*hierarchy, ""), "a:a g:g p:g");
  EXPECT_EQ(ListOf(*hierarchy, "p"), "q:g");
  EXPECT_EQ(hierarchy->Probe("p/q"), NodeKind::kGroup);
  EXPECT_TRUE(hierarchy->OpenGroup("p").attributes.IsNull());
  EXPECT_EQ(hierarchy->OpenArray("p/q/r")->shape(), (Shape{4}));
}

TEST(HierarchyConsolidated, ThoseOfV2NeedNotNameTheirFormat) {
  const auto hierarchy = Open(
      {{".zmetadata", R"({"metadata": {".zgroup": {"zarr_format": 2}, "a/.zarray": )" + std::string(kV2Array) + "}}"}});
  EXPECT_TRUE(hierarchy->consolidated());
  EXPECT_EQ(ListOf(*hierarchy, ""), "a:a");
}

TEST(HierarchyConsolidated, BrokenOnesOfV2AreIgnoredWhereThereIsARoot) {
  for (const char* text : {"{", "[]", "{}", R"({"zarr_consolidated_format": 2, "metadata": {}})",
                           R"({"zarr_consolidated_format": 1, "metadata": []})"}) {
    const auto hierarchy = Open({{".zmetadata", text}, {".zgroup", kV2Group}, {"x/.zarray", kV2Array}});
    EXPECT_FALSE(hierarchy->consolidated()) << text;
    EXPECT_EQ(ListOf(*hierarchy, ""), "x:a") << text;
  }
  ExpectOpenError({{".zmetadata", "{"}}, ErrorKind::kCorrupt, "/.zmetadata: invalid JSON");
}

TEST(HierarchyConsolidated, BrokenOnesOfV3AreIgnored) {
  const std::string v3_array = V3Array();
  for (const char* value : {"[]", "null", R"({"kind": "nosuch", "must_understand": true, "metadata": {}})"}) {
    const std::string root =
        R"({"zarr_format": 3, "node_type": "group", "consolidated_metadata": )" + std::string(value) + "}";
    const auto hierarchy = Open({{"zarr.json", root}, {"x/zarr.json", v3_array}});
    EXPECT_FALSE(hierarchy->consolidated()) << value;
    EXPECT_EQ(ListOf(*hierarchy, ""), "x:a") << value;
  }
}

TEST(HierarchyConsolidated, BrokenDocumentsSayWhereTheyStand) {
  const std::string v2 = ConsolidatedV2(R"(, "bad/.zarray": {"zarr_format": 2, "shape": "x"})");
  const auto hierarchy = Open({{".zmetadata", v2}});
  EXPECT_EQ(ListOf(*hierarchy, ""), "a:a bad:a g:g");
  const Error error = ErrorOf([&] { hierarchy->OpenArray("bad"); });
  EXPECT_EQ(error.key(), ".zmetadata");
  EXPECT_EQ(error.pointer(), "/metadata/bad~1.zarray/shape");
}

TEST(HierarchyConsolidated, HostileNamesLeadNowhere) {
  const std::string v2 = ConsolidatedV2(R"(, "../up/.zarray": {}, "/abs/.zarray": {}, "a/../x/.zarray": {}, "//": {},
                                            ".zarray": 5, "..": {}, "": {}, "g/./.zarray": {})");
  const auto hierarchy = Open({{".zmetadata", v2}});
  EXPECT_EQ(ListOf(*hierarchy, ""), "a:a abs:a g:g");  // a "/" at the begin is left out
  EXPECT_EQ(ListOf(*hierarchy, "g"), "b:a");
  EXPECT_EQ(ErrorOf([&] { hierarchy->OpenArray("../up"); }).kind(), ErrorKind::kInvalidArgument);
}

TEST(HierarchyConsolidated, ANodeThatIsArrayAndGroupIsAnArray) {
  const std::string v2 =
      ConsolidatedV2(R"(, "a/.zgroup": {"zarr_format": 2}, "a/child/.zarray": )" + std::string(kV2Array));
  const auto hierarchy = Open({{".zmetadata", v2}});
  EXPECT_EQ(hierarchy->Probe("a"), NodeKind::kArray);
  EXPECT_EQ(hierarchy->OpenArray("a/child")->shape(), (Shape{4}));
}

TEST(HierarchyConsolidated, AttributesThatOnlyTheyHaveStayWhenAnotherNodeChanges) {
  const auto store = StoreOf({{".zmetadata", ConsolidatedV2("")},
                              {".zgroup", kV2Group},
                              {"a/.zarray", kV2Array},
                              {"g/.zgroup", kV2Group},
                              {"g/b/.zarray", kV2Array}});
  HierarchyOptions options;
  options.use_consolidated = false;
  const auto attributes = [&] {
    return EditableHierarchy::Open(store)->OpenArray("g/b")->metadata().attributes.Dump();
  };
  const auto hierarchy = EditableHierarchy::Open(store, options);
  hierarchy->EditAttributes("a", [](const JsonNode&) { return Json(R"({"a": 1})"); });
  hierarchy->WriteConsolidated();
  EXPECT_EQ(attributes(), R"({"b":2})");
  // Not if they are removed, or the array is another one.
  hierarchy->EditAttributes("g/b", [](const JsonNode&) { return Json(R"({"b": 3})"); });
  hierarchy->EditAttributes("g/b", [](const JsonNode&) { return JsonNode(); });
  hierarchy->WriteConsolidated();
  EXPECT_EQ(attributes(), "{}");
}

TEST(HierarchyConsolidated, AttributesThatOnlyTheyHaveStayUnlessTheNodeHasChangedElsewhere) {
  HierarchyOptions options;
  options.use_consolidated = false;
  for (const std::string changed : {"", "b"}) {
    const auto store = StoreOf({{".zmetadata", ConsolidatedV2("")},
                                {".zgroup", kV2Group},
                                {"a/.zarray", kV2Array},
                                {"g/.zgroup", kV2Group},
                                {"g/b/.zarray", kV2Array}});
    EXPECT_TRUE(EditableHierarchy::Open(store, options)->waiting().UpdateConsolidated("g", {changed}));
    const auto attributes = EditableHierarchy::Open(store)->OpenArray("g/b")->metadata().attributes.Dump();
    EXPECT_EQ(attributes, changed.empty() ? R"({"b":2})" : "null");
    store->Erase(".zmetadata");
    EXPECT_FALSE(EditableHierarchy::Open(store, options)->waiting().UpdateConsolidated("g", {changed}));
  }
}

}  // namespace
}  // namespace zarr
