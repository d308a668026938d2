// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/metadata/consolidated.h"

namespace zarr {
namespace {

using test::ExpectError;

constexpr std::string_view kArray =
    R"({"zarr_format": 3, "node_type": "array", "shape": [2, 30], "data_type": "int16",
        "attributes": {"bounds": "b", "units": "{\"}", "_ARRAY_DIMENSIONS": ["no", "no"]}, "dimension_names": ["y", "x"]})";

std::shared_ptr<ConsolidatedMetadata> TextOfV2(std::string_view metadata) {
  const std::string text = R"({"metadata": )" + std::string(metadata) + R"(, "zarr_consolidated_format": 1})";
  return ConsolidatedMetadata::FromTextOfV2(ToBytes(text), "store", ".zmetadata");
}

RootOfV3 RootWith(std::string_view metadata, std::string_view kind = "\"inline\"") {
  return ParseRootOfV3(
      ToBytes(R"({"zarr_format": 3, "consolidated_metadata": {"metadata": )" + std::string(metadata) + R"(, "kind": )" +
              std::string(kind) + R"(}, "node_type": "group", "attributes": {"r": 1}})"),
      "store", "zarr.json");
}

TEST(ConsolidatedText, ParsesWhatIsAskedFor) {
  // The second document is no JSON; the first one can be read nevertheless.
  const auto metadata =
      TextOfV2(R"({".zgroup": {"zarr_format": 2}, "a/.zattrs": {"y": NaN}, "bad/.zattrs": {"y": [1 2]}})");
  EXPECT_EQ(metadata->Find("a/.zattrs")->Dump(), R"({"y":NaN})");
  EXPECT_EQ(metadata->Find("a/.zattrs")->At("y").pointer(), "/metadata/a~1.zattrs/y");
  EXPECT_EQ(metadata->Find("a/.zattrs")->key(), ".zmetadata");
  EXPECT_TRUE(metadata->Has("bad/.zattrs"));
  ExpectError([&] { metadata->Find("bad/.zattrs"); }, ErrorKind::kCorrupt, "/metadata/bad~1.zattrs", "invalid JSON");
  EXPECT_FALSE(metadata->Find("b/.zattrs"));
  EXPECT_EQ(metadata->GetChildren(""), (std::vector<std::string>{"a", "bad"}));
  EXPECT_EQ(metadata->GetKeys(), (std::vector<std::string>{".zgroup", "a/.zattrs", "bad/.zattrs"}));
}

TEST(ConsolidatedText, TheRootOfV3StandsApart) {
  const RootOfV3 root = RootWith("{\"g/a\": " + std::string(kArray) + "}");
  EXPECT_EQ(root.document.Dump(), R"({"zarr_format":3,"node_type":"group","attributes":{"r":1}})");
  ASSERT_TRUE(root.consolidated);
  EXPECT_EQ(root.consolidated->Find("zarr.json")->Dump(), root.document.Dump());
  EXPECT_EQ(root.consolidated->Find("g/a/zarr.json")->At("shape").pointer(),
            "/consolidated_metadata/metadata/g~1a/shape");
  EXPECT_EQ(root.consolidated->GetNodeType("g/a"), "array");
  EXPECT_EQ(root.consolidated->GetNodeType("g"), "");
}

TEST(ConsolidatedText, RootsWithoutUsableOnes) {
  EXPECT_FALSE(RootWith("{}", "\"other\"").consolidated);
  EXPECT_FALSE(RootWith("[]").consolidated);
  EXPECT_FALSE(ParseRootOfV3(ToBytes(R"({"zarr_format": 3, "node_type": "group"})"), "s", "k").consolidated);
  EXPECT_FALSE(
      ParseRootOfV3(ToBytes(R"({"zarr_format": 3, "node_type": "group", "consolidated_metadata": null})"), "s", "k")
          .consolidated);
  ExpectError([] { ParseRootOfV3(ToBytes(R"({"consolidated_metadata": {"metadata": {)"), "s", "k"); },
              ErrorKind::kCorrupt, "", "invalid JSON");
}

TEST(ConsolidatedText, LaterMembersReplaceEarlierOnes) {
  const auto metadata = TextOfV2(R"({"a/.zattrs": {"n": 1}, "a/.zattrs": {"n": 2}})");
  EXPECT_EQ(metadata->Find("a/.zattrs")->At("n").AsInt64(), 2);
}

TEST(ConsolidatedText, NamesMayHaveEscapes) {
  const auto metadata = TextOfV2(R"({"\u0061\/.zattrs": {"n": 1}, "..\/up/.zattrs": {}})");
  EXPECT_EQ(metadata->GetKeys(), (std::vector<std::string>{"a/.zattrs"}));
  EXPECT_EQ(metadata->Find("a/.zattrs")->pointer(), "/metadata/a~1.zattrs");
}

TEST(ConsolidatedText, SummarizesArraysOfV3) {
  const auto summary = RootWith("{\"a\": " + std::string(kArray) + "}").consolidated->Summarize("a");
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->shape, (Shape{2, 30}));
  EXPECT_EQ(summary->data_type.name, "int16");
  EXPECT_EQ(summary->dimension_names, (std::vector<std::optional<std::string>>{"y", "x"}));
  EXPECT_EQ(summary->references, (std::vector<std::string>{"b"}));
}

TEST(ConsolidatedText, SummarizesArraysOfV2) {
  const auto metadata =
      TextOfV2(R"({"a/.zarray": {"shape": [7], "dtype": "<f4"}, "b/.zarray": {"shape": [], "dtype": "|u1"},
      "a/.zattrs": {"x": {"bounds": "no"}, "grid_mapping": "crs: x y", "_ARRAY_DIMENSIONS": ["time"]}})");
  const auto summary = metadata->Summarize("a");
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->shape, (Shape{7}));
  EXPECT_EQ(summary->data_type.size, 4u);
  EXPECT_EQ(summary->dimension_names, (std::vector<std::optional<std::string>>{"time"}));
  EXPECT_EQ(summary->references, (std::vector<std::string>{"crs: x y"}));
  EXPECT_EQ(metadata->Summarize("b")->shape, Shape());
}

TEST(ConsolidatedText, WhatIsNotPlainHasNoSummary) {
  const auto metadata = TextOfV2(R"({"object/.zarray": {"shape": [7], "dtype": "|O"}, "g/.zgroup": {},
      "float/.zarray": {"shape": [7.0], "dtype": "<f4"}, "shapeless/.zarray": {"dtype": "<f4"},
      "type/.zarray": {"shape": [7], "dtype": "nosuch"}})");
  for (const char* path : {"object", "g", "float", "shapeless", "type", "nosuch"}) {
    EXPECT_FALSE(metadata->Summarize(path)) << path;
  }
}

TEST(ConsolidatedText, CanBeChanged) {
  const auto metadata =
      TextOfV2(R"({"a/.zarray": {"shape": [7], "dtype": "<f4"}, "b/.zattrs": {"n": 2}, "c/.zattrs": {"n": 3}})");
  ASSERT_TRUE(metadata->Summarize("a"));
  metadata->Set("a/.zarray", test::Json(R"({"shape": [8], "dtype": "<f4"})"));
  metadata->Erase("b/.zattrs");
  metadata->MoveNode("c", "d");
  EXPECT_EQ(metadata->GetKeys(), (std::vector<std::string>{"a/.zarray", "d/.zattrs"}));
  EXPECT_FALSE(metadata->Summarize("a"));  // a document that was set has no text
  EXPECT_EQ(metadata->Find("a/.zarray")->At("shape")[0].AsInt64(), 8);
  EXPECT_EQ(metadata->Find("d/.zattrs")->At("n").AsInt64(), 3);
  EXPECT_EQ(metadata->Find("d/.zattrs")->pointer(), "/metadata/c~1.zattrs");  // its place in the text
}

}  // namespace
}  // namespace zarr
