// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/metadata/array_metadata.h"
#include "zarrlib/metadata/document_parts.h"

/// The data type `optional`, its fill values, and both in documents.
namespace zarr {
namespace {

using Kind = DataType::Kind;
using test::ExpectError;
using test::Json;
using test::LittleEndianHex;

constexpr std::string_view kUint8 = R"({"name": "optional", "configuration": {"name": "uint8", "configuration": {}}})";
constexpr std::string_view kTwice =
    R"({"name": "optional", "configuration": {"name": "optional", "configuration": {"name": "int16"}}})";

DataType Optional(std::string_view inner) {
  return DataType::FromV3(Json(R"({"name": "optional", "configuration": )" + std::string(inner) + "}"));
}

DataType OptionalOf(std::string_view name) {
  return Optional(R"({"name": ")" + std::string(name) + R"("})");
}

TEST(OptionalType, IsTheTypeInsideWithADepth) {
  const DataType once = DataType::FromV3(Json(kUint8));
  EXPECT_EQ(once.kind, Kind::kUint);
  EXPECT_EQ(once.size, 1u);
  EXPECT_EQ(once.name, "uint8");
  EXPECT_EQ(once.optional_depth, 1u);
  EXPECT_FALSE(once == DataType::FromV3(Json(R"("uint8")")));
  EXPECT_EQ(DataType::FromV3(Json(kTwice)).optional_depth, 2u);
  const DataType time = Optional(R"({"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 10}})");
  EXPECT_EQ(time.kind, Kind::kDatetime64);
  EXPECT_EQ(time.unit_count, 10u);
}

TEST(OptionalType, HasTheNamesOfAllReleasesOfZarrs) {
  const DataType now = DataType::FromV3(Json(R"({"name": "zarrs.optional", "configuration": {"name": "uint8"}})"));
  EXPECT_EQ(now, DataType::FromV3(Json(kUint8)));
  EXPECT_EQ(MakeDataTypeV3(now).At("name").AsString(), "zarrs.optional");
}

TEST(OptionalType, OfAnUnknownTypeIsUnknown) {
  EXPECT_EQ(OptionalOf("decimal").kind, Kind::kUnknown);
}

TEST(OptionalType, NeedsAConfiguration) {
  ExpectError([] { DataType::FromV3(Json(R"("optional")")); }, ErrorKind::kCorrupt, "", "name");
  ExpectError([] { DataType::FromV3(Json(R"({"name": "optional"})")); }, ErrorKind::kCorrupt, "", "name");
  ExpectError([] { Optional("3"); }, ErrorKind::kCorrupt, "/configuration", "");
  ExpectError([] { Optional(R"({"name": 3})"); }, ErrorKind::kCorrupt, "/configuration/name", "");
}

TEST(OptionalType, FieldsOfStructsAreNotOptional) {
  constexpr std::string_view kStruct =
      R"({"name": "struct", "configuration": {"fields": [{"name": "a", "data_type": {"name": "optional",
          "configuration": {"name": "uint8"}}}]}})";
  ExpectError([&] { DataType::FromV3(Json(kStruct)); }, ErrorKind::kUnsupported, "/configuration/fields/0", "");
}

// --- fill values --------------------------------------------------------------------------------------------------

std::string HexOfFill(const JsonNode& json, const DataType& type) {
  return LittleEndianHex(ParseFillValueV3(json, type).bytes, type);
}

TEST(OptionalFillValue, MissingElementsOfEachKind) {
  const std::pair<const char*, const char*> cases[] = {{"bool", "ff"},
                                                       {"uint8", "ff"},
                                                       {"uint32", "ff ff ff ff"},
                                                       {"int8", "80"},
                                                       {"int4", "80"},
                                                       {"int16", "00 80"},
                                                       {"int64", "00 00 00 00 00 00 00 80"},
                                                       {"float16", "00 7e"},
                                                       {"float32", "00 00 c0 7f"},
                                                       {"bfloat16", "c0 7f"},
                                                       {"complex64", "00 00 c0 7f 00 00 c0 7f"},
                                                       {"r16", "00 00"},
                                                       {"string", ""}};
  for (const auto& [name, bytes] : cases) {
    const DataType type = OptionalOf(name);
    EXPECT_EQ(LittleEndianHex(MakeMissingElement(type), type), bytes) << name;
    const FillValue fill = ParseFillValueV3(JsonNode(), type);
    EXPECT_EQ(LittleEndianHex(fill.bytes, type), bytes) << name;
    EXPECT_EQ(fill.defined, !type.variable()) << name;
  }
}

TEST(OptionalFillValue, ElementsAreInLists) {
  EXPECT_EQ(HexOfFill(Json("[42]"), OptionalOf("uint8")), "2a");
  EXPECT_EQ(HexOfFill(Json("[[-2]]"), DataType::FromV3(Json(kTwice))), "fe ff");
  EXPECT_EQ(HexOfFill(Json("[null]"), DataType::FromV3(Json(kTwice))), "00 80");
  EXPECT_EQ(HexOfFill(Json("[[1, 2]]"), OptionalOf("complex64")), "00 00 80 3f 00 00 00 40");
  const FillValue text = ParseFillValueV3(Json(R"(["ab"])"), OptionalOf("string"));
  EXPECT_EQ(test::HexOf(text.bytes), "61 62");
  EXPECT_TRUE(text.defined);
}

TEST(OptionalFillValue, RefusesOthers) {
  for (const char* json : {"0", "[]", "[1, 2]", "{}", "\"NaN\""}) {
    ExpectError([&] { ParseFillValueV3(Json(json), OptionalOf("uint8")); }, ErrorKind::kCorrupt, "", "");
  }
  for (const char* json : {"[null]", "[[1]]", "[256]"}) {
    ExpectError([&] { ParseFillValueV3(Json(json), OptionalOf("uint8")); }, ErrorKind::kCorrupt, "/0", "");
  }
}

// --- documents ----------------------------------------------------------------------------------------------------

JsonNode MakeDocument(std::string_view type, std::string_view fill, std::string_view attributes = "{}") {
  const std::string text = R"({"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": )" +
                           std::string(type) +
                           R"(, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
      "chunk_key_encoding": {"name": "default"}, "fill_value": )" +
                           std::string(fill) + R"(, "codecs": [{"name": "optional", "configuration": {
      "mask_codecs": [{"name": "packbits"}], "data_codecs": [{"name": "bytes"}]}}], "attributes": )" +
                           std::string(attributes) + "}";
  return Json(text);
}

TEST(OptionalDocument, NullIsAFillValue) {
  EXPECT_TRUE(ParseArrayV3(MakeDocument(kUint8, "null")).warnings.empty());
}

TEST(OptionalDocument, ComesBackFromTheModel) {
  const std::tuple<std::string_view, const char*, const char*> cases[] = {
      {kUint8, "null", "null"}, {kUint8, "[7]", "[7]"}, {kTwice, "null", "null"}, {kTwice, "[[7]]", "[[7]]"}};
  for (const auto& [type, fill, written] : cases) {
    ArrayMetadata array = ParseArrayV3(MakeDocument(type, fill));
    EXPECT_EQ(MakeDocuments(array)[0].content.At("fill_value").Dump(), written);
    array.document = JsonNode();
    const JsonNode document = MakeDocuments(array)[0].content;
    EXPECT_EQ(document.At("fill_value").Dump(), written);
    const ArrayMetadata again = ParseArrayV3(Json(document.Dump()));
    EXPECT_TRUE(again.data_type == array.data_type) << document.Dump();
    EXPECT_EQ(again.fill_value, array.fill_value);
  }
}

TEST(OptionalDocument, OlderFormatsDoNotHaveIt) {
  ArrayMetadata array = ParseArrayV3(MakeDocument(kUint8, "null"));
  array.zarr_format = ZarrFormat::kV2;
  array.chunk_key_encoding = {ChunkKeyEncoding::Kind::kV2, '.'};
  ExpectError([&] { MakeDocuments(array); }, ErrorKind::kUnsupported, "/dtype",
              "v2 has no data type \"optional uint8\"");
}

}  // namespace
}  // namespace zarr
