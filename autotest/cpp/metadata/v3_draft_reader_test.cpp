// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/codec_names.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/metadata/v3_draft.h"

namespace zarr {
namespace {

using Keys = ChunkKeyEncoding::Kind;
using Kind = DataType::Kind;
using test::CodecsOf;
using test::ExpectError;
using test::Json;
using test::LittleEndianHex;

/// A document with these members, in the place of those of the same name.
std::string DocumentOfDraft(std::string_view members) {
  const JsonNode given = Json("{" + std::string(members) + "}");
  std::string text;
  for (const auto& [name, value] : given.GetMembers()) text += ", \"" + name + "\": " + value.Dump();
  const std::pair<std::string_view, std::string_view> defaults[] = {
      {"shape", "[20, 30]"},
      {"data_type", R"("<i2")"},
      {"chunk_grid", R"({"type": "regular", "chunk_shape": [10, 7], "separator": "/"})"},
      {"chunk_memory_layout", R"("C")"},
      {"fill_value", "null"},
      {"extensions", "[]"},
      {"attributes", "{}"}};
  for (const auto& [name, value] : defaults) {
    if (!given.Has(name)) text += ", \"" + std::string(name) + "\": " + std::string(value);
  }
  return "{" + text.substr(2) + "}";
}

ArrayMetadata Draft(std::string_view members = "") {
  return ParseArrayV3Draft(Json(DocumentOfDraft(members)));
}

std::string Compressor(std::string_view codec, std::string_view configuration = "{}") {
  return R"("compressor": {"codec": ")" + std::string(codec) + R"(", "configuration": )" + std::string(configuration) +
         "}";
}

TEST(V3DraftReader, ReadsAnArray) {
  const ArrayMetadata array = Draft(
      R"("data_type": ">i2", "fill_value": 258, "attributes": {"units": "m", "_ARRAY_DIMENSIONS": ["y", "x"]}, )" +
      Compressor("https://purl.org/zarr/spec/codec/gzip/1.0", R"({"level": 3})"));
  EXPECT_EQ(array.zarr_format, ZarrFormat::kV3Draft);
  EXPECT_EQ(array.shape, (Shape{20, 30}));
  EXPECT_EQ(array.chunk_grid.uniform_chunk_shape(), (Shape{10, 7}));
  EXPECT_EQ(array.data_type.endian, Endian::kBig);
  EXPECT_EQ(LittleEndianHex(array.fill_value.bytes, array.data_type), "02 01");
  EXPECT_EQ(CodecsOf(array), "numcodecs.gzip");
  EXPECT_EQ(array.codecs[0].configuration.At("level").AsInt64(), 3);
  EXPECT_TRUE(array.implicit_bytes);
  EXPECT_EQ(array.chunk_key_encoding, (ChunkKeyEncoding{Keys::kV3Draft, '/'}));
  EXPECT_EQ(array.chunk_root, "data/root");
  EXPECT_FALSE(array.read_only.empty());
  EXPECT_EQ(array.attributes.At("units").AsString(), "m");
  EXPECT_EQ(array.dimension_names, (std::vector<std::optional<std::string>>{"y", "x"}));
}

TEST(V3DraftReader, DataTypes) {
  const auto type_of = [](const std::string& type) { return Draft("\"data_type\": " + type).data_type; };
  EXPECT_EQ(type_of(R"("bool")").kind, Kind::kBool);
  EXPECT_EQ(type_of(R"("i1")").kind, Kind::kInt);
  EXPECT_EQ(type_of(R"("u1")").kind, Kind::kUint);
  EXPECT_EQ(type_of(R"("|u1")").size, 1u);
  EXPECT_EQ(type_of(R"("<f2")").size, 2u);
  EXPECT_EQ(type_of(R"("r24")").kind, Kind::kRaw);
  EXPECT_EQ(type_of(R"("r24")").size, 3u);
  EXPECT_EQ(type_of(R"({"type": "<c8", "extension": "https://a.b/c", "fallback": null})").kind, Kind::kComplex);
  EXPECT_EQ(type_of(R"({"type": "<M8[ns]", "extension": "https://a.b/c", "fallback": null})").unit, "ns");
  EXPECT_EQ(type_of(R"({"type": [["a", "<i2"], ["b", "|u1"]], "extension": "TODO"})").kind, Kind::kStruct);
  EXPECT_EQ(type_of(R"("bool")").name, "bool");
  ExpectError([] { Draft(R"("data_type": "int16")"); }, ErrorKind::kCorrupt, "/data_type", "\"int16\"");
  ExpectError([] { Draft(R"("data_type": 5)"); }, ErrorKind::kCorrupt, "/data_type", "expected a name");
}

TEST(V3DraftReader, TheFallbackOfAnUnknownTypeIsUsed) {
  const ArrayMetadata array =
      Draft(R"("data_type": {"type": "bfloat16", "extension": "https://a.b/c", "fallback": "<u2"})");
  EXPECT_EQ(array.data_type.kind, Kind::kUint);
  EXPECT_EQ(array.warnings, (std::vector<std::string>{"/data_type/type: unknown; the fallback \"<u2\" is used"}));
  const DataType none =
      Draft(R"("data_type": {"type": "bfloat16", "extension": "https://a.b/c", "fallback": null})").data_type;
  EXPECT_EQ(none.kind, Kind::kUnknown);
  EXPECT_EQ(none.name, "bfloat16");
}

TEST(V3DraftReader, ObjectsAreTextsIfAFilterSaysSo) {
  const ArrayMetadata array = Draft(R"("data_type": {"type": "|O", "extension": "TODO", "fallback": null},
      "attributes": {"filters": [{"id": "vlen-utf8"}], "a": 1}, "fill_value": "")");
  EXPECT_EQ(array.data_type.kind, Kind::kString);
  EXPECT_EQ(CodecsOf(array), "numcodecs.vlen-utf8");
  EXPECT_EQ(array.attributes.Dump(), R"({"a":1})");
  EXPECT_EQ(CodecsOf(Draft(R"("attributes": {"filters": ["low pass"]})")), "");
}

TEST(V3DraftReader, CodecsAreNamedByUrls) {
  EXPECT_EQ(
      CodecsOf(Draft(Compressor("https://purl.org/zarr/spec/codec/blosc/1.0") + R"(, "chunk_memory_layout": "F")")),
      "transpose numcodecs.blosc");
  EXPECT_EQ(CodecsOf(Draft(R"("compressor": null)")), "");
  EXPECT_EQ(CodecsOf(Draft(Compressor("https://purl.org/zarr/spec/codec/new"))), "numcodecs.new");
  ExpectError([] { Draft(Compressor("gzip")); }, ErrorKind::kUnsupported, "/compressor/codec", "got \"gzip\"");
  ExpectError([] { Draft(R"("compressor": "gzip")"); }, ErrorKind::kCorrupt, "/compressor", "an object");
  ExpectError([] { Draft(R"("chunk_memory_layout": "A")"); }, ErrorKind::kCorrupt, "/chunk_memory_layout", "\"A\"");
}

TEST(V3DraftReader, ChunkKeys) {
  const ChunkKeyEncoding keys = Draft().chunk_key_encoding;
  EXPECT_EQ(keys.Format({1, 2}), "c1/2");
  EXPECT_EQ(keys.Format({}), "c0");
  EXPECT_EQ(keys.Parse("c1/2", 2), (Shape{1, 2}));
  EXPECT_EQ(keys.Parse("c0", 0), Shape());
  for (const char* key : {"1/2", "c/1/2", "c1", "c1/2/3", "c01/2", "c", ""}) EXPECT_FALSE(keys.Parse(key, 2)) << key;
  const auto grid = [](const std::string& members) {
    return R"("chunk_grid": {"type": "regular", "chunk_shape": [10, 7])" + members + "}";
  };
  EXPECT_EQ(Draft(grid(R"(, "separator": ".")")).chunk_key_encoding.Format({1, 2}), "c1.2");
  EXPECT_EQ(Draft(grid("")).chunk_key_encoding.separator, '/');
  EXPECT_EQ(Draft(grid(R"(, "separator": "/")") + R"(, "dimension_separator": ".")").chunk_key_encoding.separator, '.');
  ExpectError([&] { Draft(grid(R"(, "separator": "..")")); }, ErrorKind::kCorrupt, "/chunk_grid/separator", "\"..\"");
}

TEST(V3DraftReader, Shards) {
  const std::string shards =
      R"("storage_transformers": [{"type": "indexed", "configuration": {"chunks_per_shard": [2, 3]},
      "extension": "https://purl.org/zarr/spec/storage_transformers/sharding/1.0"}])";
  const ArrayMetadata array = Draft(shards + ", " + Compressor("https://purl.org/zarr/spec/codec/zlib/1.0"));
  EXPECT_EQ(array.chunk_grid.uniform_chunk_shape(), (Shape{20, 21}));
  EXPECT_EQ(CodecsOf(array), "sharding_indexed");
  EXPECT_EQ(array.codecs[0].configuration.At("chunk_shape").Dump(), "[10,7]");
  EXPECT_EQ(array.codecs[0].configuration.At("index_codecs").size(), 1u);
  EXPECT_EQ(array.codecs[0].configuration.At("codecs").size(), 2u);
  ExpectError([] { Draft(R"("storage_transformers": [{"type": "x", "extension": "https://a.b/c"}])"); },
              ErrorKind::kUnsupported, "/storage_transformers", "other than");
  ExpectError(
      [&] {
        std::string wrong = shards;
        Draft(wrong.replace(wrong.find("[2, 3]"), 6, "[2, 0]"));
      },
      ErrorKind::kCorrupt, "/storage_transformers/0/configuration/chunks_per_shard/1", "positive");
}

TEST(V3DraftReader, ExtensionsThatMustBeUnderstoodAreRefused) {
  Draft(R"("extensions": [{"extension": "https://a.b/c", "must_understand": false}])");
  ExpectError([] { Draft(R"("extensions": [{"extension": "https://a.b/c", "must_understand": true}])"); },
              ErrorKind::kUnsupported, "/extensions/0", "not known");
}

TEST(V3DraftReader, WhatIsMissingOrWrongIsNamed) {
  ExpectError([] { ParseArrayV3Draft(Json("[]")); }, ErrorKind::kCorrupt, "", "an object");
  ExpectError([] { ParseArrayV3Draft(Json("{}")); }, ErrorKind::kCorrupt, "", "shape");
  ExpectError([] { Draft(R"("chunk_grid": {"type": "rectangular"})"); }, ErrorKind::kUnsupported, "/chunk_grid/type",
              "expected \"regular\", got \"rectangular\"");
  ExpectError([] { Draft(R"("chunk_grid": {"type": "regular", "chunk_shape": [10]})"); }, ErrorKind::kCorrupt,
              "/chunk_grid/chunk_shape", "a list of 2 integers");
  ExpectError([] { Draft(R"("fill_value": "red")"); }, ErrorKind::kCorrupt, "/fill_value", "\"red\"");
  ExpectError([] { Draft(R"("attributes": [])"); }, ErrorKind::kCorrupt, "/attributes", "an object");
  ExpectError([] { ParseGroupV3Draft(Json("3")); }, ErrorKind::kCorrupt, "", "an object");
}

TEST(V3DraftReader, EntryPoints) {
  const std::string format = R"({"zarr_format": "https://purl.org/zarr/spec/protocol/core/3.0")";
  EXPECT_TRUE(IsEntryPointV3Draft(Json(format + "}")));
  EXPECT_FALSE(IsEntryPointV3Draft(Json(R"({"zarr_format": 3})")));
  EXPECT_FALSE(IsEntryPointV3Draft(Json(R"({"zarr_format": "3"})")));
  EXPECT_FALSE(IsEntryPointV3Draft(Json("[]")));
  CheckEntryPointV3Draft(Json(format + R"(, "metadata_key_suffix": ".json", "extensions": []})"));
  ExpectError([] { CheckEntryPointV3Draft(Json(R"({"zarr_format": "https://a.b/4"})")); }, ErrorKind::kUnsupported,
              "/zarr_format", "got \"https://a.b/4\"");
  ExpectError([&] { CheckEntryPointV3Draft(Json(format + R"(, "metadata_key_suffix": ".cbor"})")); },
              ErrorKind::kUnsupported, "/metadata_key_suffix", "expected \".json\", got \".cbor\"");
}

TEST(V3DraftReader, DocumentKeys) {
  EXPECT_EQ(MakeDocumentKey("", kV3DraftArray), "meta/root.array.json");
  EXPECT_EQ(MakeDocumentKey("a/b", kV3DraftGroup), "meta/root/a/b.group.json");
  EXPECT_EQ(MakeDocumentKey("", kV3Document), "zarr.json");
  EXPECT_EQ(MakeDocumentKey("a/b", kV2Array), "a/b/.zarray");
}

TEST(V3DraftReader, MetadataOfV3AreMadeOfIt) {
  const ArrayMetadata array = ConvertTo(
      ZarrFormat::kV3,
      Draft(R"("data_type": ">i2", "chunk_memory_layout": "F", "attributes": {"_ARRAY_DIMENSIONS": ["y", "x"]}, )" +
            Compressor("https://purl.org/zarr/spec/codec/gzip/1.0", R"({"level": 3})")));
  const std::vector<MetadataDocument> documents = MakeDocuments(array);
  ASSERT_EQ(documents.size(), 1u);
  const JsonNode document = documents[0].content;
  EXPECT_EQ(document.At("data_type").Dump(), "\"int16\"");
  EXPECT_EQ(document.At("chunk_key_encoding").At("name").Dump(), "\"default\"");
  EXPECT_EQ(document.At("dimension_names").Dump(), R"(["y","x"])");
  EXPECT_EQ(CodecsOf(ParseArrayV3(document)), "transpose bytes gzip");
  ExpectError([] { MakeDocuments(Draft()); }, ErrorKind::kUnsupported, "", "and not in the format v3 (draft)");
  ExpectError([] { ConvertTo(ZarrFormat::kV2, Draft()); }, ErrorKind::kUnsupported, "", "draft of v3");
}

TEST(V3DraftReader, TheConfigurationOfLzmaIsThatOfNumcodecs) {
  const ArrayMetadata array = ConvertTo(
      ZarrFormat::kV3, Draft(Compressor("https://purl.org/zarr/spec/codec/lzma/1.0", R"({"preset": 6, "delta": 1})")));
  EXPECT_EQ(CodecsOf(array), "bytes numcodecs.lzma");
  EXPECT_EQ(array.codecs[1].configuration.Dump(), R"({"preset":6})");
}

}  // namespace
}  // namespace zarr
