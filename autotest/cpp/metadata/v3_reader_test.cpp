// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/codec_names.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {
namespace {

using Keys = ChunkKeyEncoding::Kind;
using test::CodecsOf;
using test::ExpectError;
using test::Json;
using test::LittleEndianHex;

/// A document in which `members` replace those of the same name, or are added.
std::string DocumentOfV3(std::string_view members) {
  const std::string base = R"({"zarr_format": 3, "node_type": "array", "shape": [20, 30], "data_type": "int16",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [10, 7]}},
    "chunk_key_encoding": {"name": "default"}, "fill_value": -2,
    "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "gzip", "configuration": {"level": 1}}])";
  return base + (members.empty() ? "" : ", ") + std::string(members) +
         "}";  // of members with one name, the last counts
}

ArrayMetadata ArrayOfV3(std::string_view members) {
  return ParseArrayV3(Json(DocumentOfV3(members)));
}

TEST(V3Json, ReadsAnArray) {
  const ArrayMetadata array = ArrayOfV3(R"("attributes": {"a": 1}, "dimension_names": ["y", null])");
  EXPECT_EQ(array.zarr_format, ZarrFormat::kV3);
  EXPECT_EQ(array.shape, (Shape{20, 30}));
  EXPECT_EQ(array.chunk_grid.kind(), ChunkGrid::Kind::kRegular);
  EXPECT_EQ(array.chunk_grid.uniform_chunk_shape(), (Shape{10, 7}));
  EXPECT_EQ(array.chunk_key_encoding, (ChunkKeyEncoding{Keys::kDefault, '/'}));
  EXPECT_EQ(LittleEndianHex(array.fill_value.bytes, array.data_type), "fe ff");
  EXPECT_EQ(CodecsOf(array), "bytes gzip");
  EXPECT_EQ(array.codecs[1].configuration.pointer(), "/codecs/1/configuration");
  EXPECT_FALSE(array.implicit_bytes);
  EXPECT_EQ(array.attributes.At("a").AsInt64(), 1);
  ASSERT_EQ(array.dimension_names.size(), 2u);
  EXPECT_EQ(array.dimension_names[0], "y");
  EXPECT_EQ(array.dimension_names[1], std::nullopt);
  EXPECT_TRUE(array.warnings.empty());
}

TEST(V3Json, RectilinearGrids) {
  const ArrayMetadata array = ArrayOfV3(R"("chunk_grid": {"name": "rectilinear", "configuration":
      {"kind": "inline", "chunk_shapes": [[15, 5], 7]}})");
  EXPECT_EQ(array.chunk_grid.kind(), ChunkGrid::Kind::kRectilinear);
  EXPECT_EQ(array.chunk_grid.grid_shape(), (Shape{2, 5}));
}

TEST(V3Json, NamesMayStandForObjects) {
  const ArrayMetadata array = ArrayOfV3(R"("codecs": ["bytes", "crc32c", {"name": "gzip", "configuration": null}],
      "chunk_key_encoding": "v2", "data_type": {"name": "int16"})");
  EXPECT_EQ(CodecsOf(array), "bytes crc32c gzip");
  EXPECT_EQ(array.codecs[1].configuration.Dump(), "{}");
  EXPECT_EQ(array.codecs[1].configuration.pointer(), "/codecs/1");
  EXPECT_EQ(array.codecs[2].configuration.Dump(), "{}");
  EXPECT_EQ(array.chunk_key_encoding, (ChunkKeyEncoding{Keys::kV2, '.'}));
}

void ExpectImplicitBytes(const ArrayMetadata& array) {
  EXPECT_TRUE(array.implicit_bytes);
  ASSERT_EQ(array.warnings.size(), 1u);
  EXPECT_NE(array.warnings[0].find("/codecs"), std::string::npos);
}

ArrayMetadata WithoutCodecs(const std::string& members) {
  const JsonNode document = Json(DocumentOfV3(members));
  std::vector<std::pair<std::string, JsonNode>> kept = document.GetMembers();
  std::erase_if(kept, [](const auto& member) { return member.first == "codecs"; });
  return ParseArrayV3(JsonNode::MakeObject(kept, document));
}

const std::string kNamesOfGdal = R"("dimension_names": ["y", "x"])";

TEST(V3Json, AnEmptyListOfCodecsMeansBytes) {
  ExpectImplicitBytes(ArrayOfV3(R"("codecs": [])"));
}

TEST(V3Json, AListOfCodecsAsGdal38WroteItMeansBytes) {
  for (const char* codecs : {R"([{"name": "gzip", "configuration": {"level": 6}}])",
                             R"([{"name": "transpose", "configuration": {"order": "F"}}, "blosc"])"}) {
    SCOPED_TRACE(codecs);
    ExpectImplicitBytes(ArrayOfV3(std::string(R"("codecs": )") + codecs + ", " + kNamesOfGdal));
    EXPECT_FALSE(ArrayOfV3(std::string(R"("codecs": )") + codecs).implicit_bytes);
  }
  for (const char* codecs : {R"(["bytes", "blosc"])", R"(["zstd"])", R"(["gzip", "crc32c"])"}) {
    EXPECT_FALSE(ArrayOfV3(std::string(R"("codecs": )") + codecs + ", " + kNamesOfGdal).implicit_bytes) << codecs;
  }
}

TEST(V3Json, NoListOfCodecsAsGdal38WroteNoneMeansBytes) {
  ExpectImplicitBytes(WithoutCodecs(kNamesOfGdal));
  ExpectImplicitBytes(
      WithoutCodecs(R"("shape": [], "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": []}})"));
  ExpectImplicitBytes(WithoutCodecs("\"attributes\": {}"));
}

TEST(V3Json, ANullFillValueAsGdalWritesItIsUndefined) {
  const ArrayMetadata array = ArrayOfV3(R"("fill_value": null)");
  EXPECT_FALSE(array.fill_value.defined);
  EXPECT_TRUE(array.warnings.empty());
}

TEST(V3Json, FillValuesOfEveryKind) {
  const std::tuple<const char*, const char*, const char*> known[] = {
      {"\"uint64\"", "18446744073709551615", "ff ff ff ff ff ff ff ff"},
      {"\"float16\"", "\"0x7e01\"", "01 7e"},
      {"\"float32\"", "\"NaN\"", "00 00 c0 7f"},
      {"\"complex64\"", "[1, \"-Infinity\"]", "00 00 80 3f 00 00 80 ff"},
      {"\"r16\"", "[1, 2]", "01 02"},
      {"\"r16\"", "\"AQI=\"", "01 02"},
      {"\"bool\"", "true", "01"},
      {R"({"name": "numpy.datetime64", "configuration": {"unit": "s"}})", "\"NaT\"", "00 00 00 00 00 00 00 80"},
      {R"({"name": "struct", "configuration": {"fields": [{"name": "a", "data_type": "int16"}]}})", R"({"a": 1})",
       "01 00"},
  };
  for (const auto& [type, fill, hex] : known) {
    const ArrayMetadata array = ArrayOfV3(R"("data_type": )" + std::string(type) + R"(, "fill_value": )" + fill);
    EXPECT_EQ(LittleEndianHex(array.fill_value.bytes, array.data_type), hex) << type;
    EXPECT_TRUE(array.fill_value.defined);
  }
}

TEST(V3Json, UnknownDataTypesAreReadAsSuch) {
  const ArrayMetadata array = ArrayOfV3(R"("data_type": "banana", "fill_value": {"x": 1})");
  EXPECT_EQ(array.data_type.kind, DataType::Kind::kUnknown);
}

// --- extensions --------------------------------------------------------------------------------------------------

TEST(V3Json, WhatNeedNotBeUnderstoodIsIgnored) {
  EXPECT_NO_THROW(ArrayOfV3(R"("ext": {"name": "x", "must_understand": false})"));
}

TEST(V3Json, WhatMustBeUnderstoodIsRefused) {
  for (const char* member : {R"("ext": {"must_understand": true})", R"("ext": {"name": "x"})", R"("ext": 5)",
                             R"("ext": null)", R"("ext": false)", R"("ext": {"must_understand": "false"})",
                             R"("ext": {"must_understand": 0})", R"("ext": [{"must_understand": false}])"}) {
    SCOPED_TRACE(member);
    ExpectError([&] { ArrayOfV3(member); }, ErrorKind::kUnsupported, "/ext", "must_understand");
    ExpectError([&] { ParseGroupV3(Json(R"({"zarr_format": 3, "node_type": "group", )" + std::string(member) + "}")); },
                ErrorKind::kUnsupported, "/ext", "must_understand");
  }
}

TEST(V3Json, StorageTransformersAreRefused) {
  EXPECT_NO_THROW(ArrayOfV3(R"("storage_transformers": [])"));
  ExpectError([] { ArrayOfV3(R"("storage_transformers": [{"name": "x"}])"); }, ErrorKind::kUnsupported,
              "/storage_transformers", "storage transformers");
}

// --- errors ------------------------------------------------------------------------------------------------------

TEST(V3Json, MostMembersAreNeeded) {
  for (const char* name : {"shape", "data_type", "chunk_grid", "chunk_key_encoding", "fill_value"}) {
    const std::string text = DocumentOfV3("");
    std::vector<std::pair<std::string, JsonNode>> members = Json(text).GetMembers();
    std::erase_if(members, [&](const auto& member) { return member.first == name; });
    const JsonNode without = JsonNode::MakeObject(members, Json(text));
    ExpectError([&] { ParseArrayV3(without); }, ErrorKind::kCorrupt, "",
                "expected a member \"" + std::string(name) + "\"");
  }
}

TEST(V3Json, RefusesWrongMembers) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"("shape": [-1, 20])", "/shape/0"},
      {R"("shape": {})", "/shape"},
      {R"("shape": [20])", "/chunk_grid/configuration/chunk_shape"},
      {R"("data_type": 5)", "/data_type"},
      {R"("data_type": "r0")", "/data_type"},
      {R"("chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [0, 10]}})",
       "/chunk_grid/configuration/chunk_shape/0"},
      {R"("chunk_grid": {"name": "regular"})", "/chunk_grid"},
      {R"("chunk_grid": "regular")", "/chunk_grid"},
      {R"("chunk_key_encoding": {"name": "default", "configuration": {"separator": "/../"}})",
       "/chunk_key_encoding/configuration/separator"},
      {R"("fill_value": "abc")", "/fill_value"},
      {R"("fill_value": 40000)", "/fill_value"},
      {R"("fill_value": "NaN")", "/fill_value"},
      {R"("codecs": {})", "/codecs"},
      {R"("codecs": [5])", "/codecs/0"},
      {R"("codecs": [{"configuration": {}}])", "/codecs/0"},
      {R"("codecs": [{"name": "bytes", "configuration": []}])", "/codecs/0/configuration"},
      {R"("attributes": [])", "/attributes"},
      {R"("dimension_names": ["a", "b", "c"])", "/dimension_names"},
      {R"("dimension_names": "ab")", "/dimension_names"},
      {R"("dimension_names": ["a", 5])", "/dimension_names/1"},
  };
  for (const auto& [members, pointer] : wrong) {
    SCOPED_TRACE(members);
    ExpectError([&, &text = members] { ArrayOfV3(text); }, ErrorKind::kCorrupt, pointer, "expected");
  }
}

TEST(V3Json, RefusesTooManyCodecs) {
  std::string codecs = "\"bytes\"";
  for (int i = 0; i < 10000; ++i) codecs += ",\"crc32c\"";
  ExpectError([&] { ArrayOfV3(R"("codecs": [)" + codecs + "]"); }, ErrorKind::kLimitExceeded, "/codecs",
              "at most 64 codecs (ZARR_MAX_CODECS), got 10001");
}

TEST(V3Json, DimensionNamesMayRepeatOrBeEmptyOrNull) {
  const ArrayMetadata array = ArrayOfV3(R"("dimension_names": ["", ""])");
  EXPECT_EQ(array.dimension_names.at(1), "");
  EXPECT_TRUE(ArrayOfV3(R"("dimension_names": null)").dimension_names.empty());
}

TEST(V3Json, NodeTypes) {
  EXPECT_EQ(GetNodeTypeV3(Json(R"({"zarr_format": 3, "node_type": "array"})")), "array");
  EXPECT_EQ(GetNodeTypeV3(Json(R"({"zarr_format": 3, "node_type": "group"})")), "group");
  ExpectError([] { GetNodeTypeV3(Json(R"({"zarr_format": 3, "node_type": "banana"})")); }, ErrorKind::kCorrupt,
              "/node_type", "\"array\" or \"group\"");
  ExpectError([] { GetNodeTypeV3(Json(R"({"zarr_format": 3})")); }, ErrorKind::kCorrupt, "", "node_type");
  ExpectError([] { GetNodeTypeV3(Json(R"({"zarr_format": 2, "node_type": "array"})")); }, ErrorKind::kUnsupported,
              "/zarr_format", "expected zarr_format 3, got 2");
  ExpectError([] { GetNodeTypeV3(Json("[]")); }, ErrorKind::kCorrupt, "", "an object");
}

// --- groups ------------------------------------------------------------------------------------------------------

GroupMetadata Group(std::string_view members) {
  return ParseGroupV3(Json(R"({"zarr_format": 3, "node_type": "group")" + std::string(members) + "}"));
}

TEST(V3Json, Groups) {
  EXPECT_TRUE(Group("").attributes.IsNull());
  EXPECT_EQ(Group(R"(, "attributes": {"a": 1})").attributes.At("a").AsInt64(), 1);
  ExpectError([] { Group(R"(, "attributes": 5)"); }, ErrorKind::kCorrupt, "/attributes", "an object");
}

TEST(V3Json, ConsolidatedMetadataOfGroups) {
  const GroupMetadata group =
      Group(R"(, "consolidated_metadata": {"kind": "inline", "must_understand": false, "metadata": {"a": {}}})");
  ASSERT_TRUE(group.consolidated);
  EXPECT_EQ(group.consolidated->pointer(), "/consolidated_metadata/metadata");
}

TEST(V3Json, OtherConsolidatedMetadataAreIgnored) {
  for (const char* value : {"null", "[]", "5", "{}", R"({"kind": "nosuch", "metadata": {}})", R"({"metadata": {}})",
                            R"({"kind": "inline"})", R"({"kind": "inline", "metadata": []})"}) {
    EXPECT_FALSE(Group(R"(, "consolidated_metadata": )" + std::string(value)).consolidated) << value;
  }
}

}  // namespace
}  // namespace zarr
