// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/consolidated.h"

#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

using Names = std::vector<std::string>;
using test::ExpectError;
using test::Json;

std::shared_ptr<const ConsolidatedMetadata> OfV2(std::string_view metadata) {
  return ConsolidatedMetadata::FromV2(
      Json(R"({"zarr_consolidated_format": 1, "metadata": )" + std::string(metadata) + "}"));
}

std::shared_ptr<const ConsolidatedMetadata> OfV3(std::string_view metadata) {
  return ConsolidatedMetadata::FromV3(Json(metadata), Json(R"({"root": true})"));
}

TEST(Consolidated, FindsDocumentsOfV2) {
  const auto metadata = OfV2(R"({".zgroup": {"zarr_format": 2}, "a/.zarray": {"x": 1}, "a/.zattrs": {"y": 2}})");
  EXPECT_EQ(metadata->Find(".zgroup")->Dump(), R"({"zarr_format":2})");
  EXPECT_EQ(metadata->Find("a/.zattrs")->Dump(), R"({"y":2})");
  EXPECT_EQ(metadata->Find("a/.zarray")->pointer(), "/metadata/a~1.zarray");
  EXPECT_FALSE(metadata->Find("a"));
  EXPECT_FALSE(metadata->Find("b/.zarray"));
  EXPECT_FALSE(metadata->Find(".zattrs"));
}

TEST(Consolidated, FindsDocumentsOfV3) {
  const auto metadata = OfV3(R"({"a": {"x": 1}, "a/b": {"y": 2}})");
  EXPECT_EQ(metadata->Find("zarr.json")->Dump(), R"({"root":true})");
  EXPECT_EQ(metadata->Find("a/zarr.json")->Dump(), R"({"x":1})");
  EXPECT_EQ(metadata->Find("a/b/zarr.json")->Dump(), R"({"y":2})");
  EXPECT_FALSE(metadata->Find("b/zarr.json"));
  EXPECT_FALSE(metadata->Find("a"));
}

TEST(Consolidated, ListsChildrenSorted) {
  const auto metadata = OfV2(R"({".zgroup": {}, "b/.zarray": {}, "a/.zgroup": {}, "a/c/.zarray": {}, "a/.zattrs": {},
                               "a-b/.zarray": {}, "implied/deep/x/.zarray": {}})");
  EXPECT_EQ(metadata->GetChildren(""), (Names{"a", "a-b", "b", "implied"}));
  EXPECT_EQ(metadata->GetChildren("a"), (Names{"c"}));
  EXPECT_EQ(metadata->GetChildren("implied"), (Names{"deep"}));
  EXPECT_EQ(metadata->GetChildren("implied/deep"), (Names{"x"}));
  EXPECT_TRUE(metadata->GetChildren("b").empty());
  EXPECT_TRUE(metadata->GetChildren("nosuch").empty());
  EXPECT_TRUE(metadata->GetChildren("imp").empty());
}

TEST(Consolidated, ListsChildrenOfV3) {
  const auto metadata = OfV3(R"({"a/b": {}, "c": {}, "a": {}})");
  EXPECT_EQ(metadata->GetChildren(""), (Names{"a", "c"}));
  EXPECT_EQ(metadata->GetChildren("a"), (Names{"b"}));
}

TEST(Consolidated, LeavesOutWhatIsNoPath) {
  constexpr std::string_view kHostile = R"({"../../etc/passwd": {}, "..": {}, ".": {}, "": {}, "/abs": {}, "a/": {},
      "a//b": {}, "a/../b": {}, "./x": {}, "ok": {}, "ok/.zattrs": {}})";
  for (const auto& metadata : {OfV2(kHostile), OfV3(kHostile)}) {
    for (const char* key : {"../../etc/passwd", "..", "../zarr.json", "", "/zarr.json", "/abs", "/abs/zarr.json", "a/",
                            "a//zarr.json", "a/../b", "a/../b/zarr.json", "./x/zarr.json", "./x"}) {
      EXPECT_FALSE(metadata->Find(key)) << key;
    }
    for (const std::string& name : metadata->GetChildren("")) EXPECT_TRUE(name == "ok" || name == "abs") << name;
  }
  EXPECT_EQ(OfV3(kHostile)->GetChildren(""), (Names{"abs", "ok"}));
}

TEST(Consolidated, NoNameTakesTheRootsPlace) {
  EXPECT_EQ(OfV3(R"({"": {"evil": 1}, "zarr.json": {"evil": 2}})")->Find("zarr.json")->Dump(), R"({"root":true})");
}

TEST(Consolidated, TakesLongAndDeepNames) {
  std::string deep = "g";
  for (int i = 0; i < 5000; ++i) deep += "/g";
  const auto metadata = OfV2("{\"" + deep + "/.zarray\": {}, \"" + std::string(70000, 'n') + "/.zarray\": {}}");
  EXPECT_EQ(metadata->GetChildren("").size(), 2u);
  EXPECT_TRUE(metadata->Find(deep + "/.zarray"));
  EXPECT_EQ(metadata->GetChildren(deep.substr(0, 3)), (Names{"g"}));
}

TEST(Consolidated, RefusesOtherFormatsOfV2) {
  ExpectError([] { ConsolidatedMetadata::FromV2(Json(R"({"zarr_consolidated_format": 2, "metadata": {}})")); },
              ErrorKind::kUnsupported, "/zarr_consolidated_format", "got 2");
  EXPECT_TRUE(ConsolidatedMetadata::FromV2(Json(R"({"metadata": {}})")));
  ExpectError([] { ConsolidatedMetadata::FromV2(Json(R"({"zarr_consolidated_format": 1})")); }, ErrorKind::kCorrupt, "",
              "metadata");
  ExpectError([] { OfV2("[]"); }, ErrorKind::kCorrupt, "/metadata", "an object");
  ExpectError([] { ConsolidatedMetadata::FromV2(Json("[]")); }, ErrorKind::kCorrupt, "", "an object");
}

}  // namespace
}  // namespace zarr
