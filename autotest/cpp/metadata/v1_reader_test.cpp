// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/codec_names.h"
#include "autotest/cpp/support/test_data.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {
namespace {

using Keys = ChunkKeyEncoding::Kind;
using test::CodecsOf;
using test::ExpectError;
using test::Json;
using test::LittleEndianHex;
using test::ReadLargeV1Example;

ArrayMetadata V1(std::string_view meta, const MetadataOptions& options = {}) {
  return ParseArrayV1(Json(meta), std::nullopt, ZarrFormat::kV1, options);
}

/// A document with these members in addition to `shape`, `chunks` and `dtype`.
std::string With(std::string_view members) {
  return R"({"shape": [20, 30], "chunks": [10, 10], "dtype": "<f4", )" + std::string(members) + "}";
}

std::string HexOfFill(const ArrayMetadata& array) {
  return LittleEndianHex(array.fill_value.bytes, array.data_type);
}

TEST(V1Json, ReadsTheExampleOfTheSpecification) {
  const ArrayMetadata array = V1(ReadLargeV1Example());
  EXPECT_EQ(array.zarr_format, ZarrFormat::kV1);
  EXPECT_EQ(array.shape, (Shape{10000, 10000}));
  EXPECT_EQ(array.chunk_grid.uniform_chunk_shape(), (Shape{1000, 1000}));
  EXPECT_EQ(array.data_type, DataType::FromV2(Json("\"<f8\"")));
  EXPECT_EQ(CodecsOf(array), "numcodecs.blosc");
  EXPECT_EQ(array.codecs[0].configuration.Dump(), R"({"clevel":5,"cname":"lz4","shuffle":1})");
  EXPECT_TRUE(array.implicit_bytes);
  EXPECT_FALSE(array.fill_value.defined);
  EXPECT_EQ(HexOfFill(array), "00 00 00 00 00 00 00 00");
  EXPECT_EQ(array.chunk_key_encoding, (ChunkKeyEncoding{Keys::kV1, '.'}));
  EXPECT_TRUE(array.attributes.IsNull());
  EXPECT_TRUE(array.dimension_names.empty());
}

TEST(V1Json, NeedsNeitherOrderNorFormat) {
  const ArrayMetadata array = V1(With(R"("compression": "none", "compression_opts": null, "fill_value": 42)"));
  EXPECT_EQ(CodecsOf(array), "");
  EXPECT_EQ(HexOfFill(array), "00 00 28 42");
}

TEST(V1Json, Compressions) {
  const std::tuple<const char*, const char*, const char*> known[] = {
      {R"("compression": "zlib", "compression_opts": 1)", "numcodecs.zlib", R"({"level":1})"},
      {R"("compression": "gzip", "compression_opts": 6)", "numcodecs.zlib", R"({"level":6})"},
      {R"("compression": "zlib", "compression_opts": null)", "numcodecs.zlib", "{}"},
      {R"("compression": "zlib", "compression_opts": "1")", "numcodecs.zlib", R"({"level":1})"},
      {R"("compression": "bz2", "compression_opts": "9")", "numcodecs.bz2", R"({"level":9})"},
      {R"("compression": "zlib")", "numcodecs.zlib", "{}"},
      {R"("compression": "bz2", "compression_opts": 9)", "numcodecs.bz2", R"({"level":9})"},
      {R"("compression": "lzma", "compression_opts": {"check": 0, "filters": null, "format": 1, "preset": 1})",
       "numcodecs.lzma", R"({"check":0,"filters":null,"format":1,"preset":1})"},
      {R"("compression": "blosc", "compression_opts": null)", "numcodecs.blosc", "{}"},
  };
  for (const auto& [members, name, configuration] : known) {
    const ArrayMetadata array = V1(With(members));
    EXPECT_EQ(CodecsOf(array), name) << members;
    EXPECT_EQ(array.codecs.at(0).configuration.Dump(), configuration) << members;
  }
}

TEST(V1Json, NoneAndNullAreNoCompression) {
  EXPECT_EQ(CodecsOf(V1(With(R"("compression": "none")"))), "");
  EXPECT_EQ(CodecsOf(V1(With(R"("compression": null)"))), "");
}

TEST(V1Json, RefusesWrongCompressions) {
  ExpectError([] { V1(With(R"("compression": "zstd", "compression_opts": 1)")); }, ErrorKind::kUnsupported,
              "/compression", "got \"zstd\"");
  ExpectError([] { V1(With(R"("fill_value": 0)")); }, ErrorKind::kCorrupt, "", "a member \"compression\"");
  ExpectError([] { V1(With(R"("compression": 1)")); }, ErrorKind::kCorrupt, "/compression", "a string");
  ExpectError([] { V1(With(R"("compression": "zlib", "compression_opts": {})")); }, ErrorKind::kCorrupt,
              "/compression_opts", "a compression level");
  ExpectError([] { V1(With(R"("compression": "zlib", "compression_opts": "best")")); }, ErrorKind::kCorrupt,
              "/compression_opts", "a compression level");
  ExpectError([] { V1(With(R"("compression": "blosc", "compression_opts": [1])")); }, ErrorKind::kCorrupt,
              "/compression_opts", "an object");
}

TEST(V1Json, OrderFOfBloscIsStoredInFOrder) {
  const ArrayMetadata array = V1(With(R"("compression": "blosc", "order": "F")"));
  EXPECT_EQ(CodecsOf(array), "transpose numcodecs.blosc");
  EXPECT_EQ(array.codecs[0].configuration.Dump(), R"({"order":[1,0]})");
}

TEST(V1Json, OrderFOfOtherCodecsIsStoredInCOrder) {
  for (const char* compression : {"\"zlib\"", "\"bz2\"", "\"lzma\"", "\"none\"", "null"}) {
    const ArrayMetadata array = V1(With(R"("order": "F", "compression": )" + std::string(compression)));
    EXPECT_EQ(CodecsOf(array).find("transpose"), std::string::npos) << compression;
  }
}

TEST(V1Json, TheOrderCanBeTakenLiterally) {
  MetadataOptions literal;
  literal.v1_order_literal = true;
  EXPECT_EQ(CodecsOf(V1(With(R"("compression": "zlib", "order": "F")"), literal)), "transpose numcodecs.zlib");
  EXPECT_EQ(CodecsOf(V1(With(R"("compression": null, "order": "F")"), literal)), "transpose");
  EXPECT_EQ(CodecsOf(V1(With(R"("compression": "blosc", "order": "F")"), literal)), "transpose numcodecs.blosc");
  EXPECT_EQ(CodecsOf(V1(With(R"("compression": "zlib", "order": "C")"), literal)), "numcodecs.zlib");
}

TEST(V1Json, RefusesOtherOrders) {
  ExpectError([] { V1(With(R"("compression": null, "order": "X")")); }, ErrorKind::kCorrupt, "/order",
              "expected \"C\" or \"F\", got \"X\"");
  ExpectError([] { V1(With(R"("compression": null, "order": 1)")); }, ErrorKind::kCorrupt, "/order", "a string");
}

TEST(V1Json, ReadsBareNonFiniteFillValues) {
  EXPECT_EQ(HexOfFill(V1(With(R"("compression": null, "fill_value": NaN)"))), "00 00 c0 7f");
  EXPECT_EQ(HexOfFill(V1(With(R"("compression": null, "fill_value": -Infinity)"))), "00 00 80 ff");
}

TEST(V1Json, StructuredTypes) {
  const ArrayMetadata array = V1(
      R"({"shape": [1], "chunks": [1], "dtype": [["r", "|u1"], ["g", "|u1"]], "compression": null, "fill_value": null})");
  EXPECT_EQ(array.data_type.size, 2u);
}

TEST(V1Json, ReadsAttributes) {
  const ArrayMetadata array =
      ParseArrayV1(Json(ReadLargeV1Example()), Json(R"({"foo": 42, "bad": NaN})"), ZarrFormat::kV1);
  EXPECT_EQ(array.attributes.At("foo").AsInt64(), 42);
  ExpectError([] { ParseArrayV1(Json(ReadLargeV1Example()), Json("[]"), ZarrFormat::kV1); }, ErrorKind::kCorrupt, "",
              "an object");
}

TEST(V1Json, RefusesOtherFormats) {
  ExpectError([] { V1(With(R"("compression": null, "zarr_format": 7)")); }, ErrorKind::kUnsupported, "/zarr_format",
              "expected zarr_format 1, got 7");
}

TEST(V1Json, RefusesWrongShapes) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"shape": [20], "chunks": [0], "dtype": "<f4", "compression": null})", "/chunks/0"},
      {R"({"shape": [20], "chunks": [1, 1], "dtype": "<f4", "compression": null})", "/chunks"},
      {R"({"shape": [20], "chunks": 20, "dtype": "<f4", "compression": null})", "/chunks"},
      {R"({"shape": [-1], "chunks": [1], "dtype": "<f4", "compression": null})", "/shape/0"},
      {R"({"shape": [20.5], "chunks": [1], "dtype": "<f4", "compression": null})", "/shape/0"},
      {R"({"shape": 20, "chunks": [1], "dtype": "<f4", "compression": null})", "/shape"},
      {R"({"chunks": [1], "dtype": "<f4", "compression": null})", ""},
      {R"({"shape": [20], "chunks": [1], "compression": null})", ""},
      {R"([1])", ""},
  };
  for (const auto& [text, pointer] : wrong) {
    SCOPED_TRACE(text);
    ExpectError([&, &text = text] { V1(text); }, ErrorKind::kCorrupt, pointer, "expected");
  }
}

TEST(V1Json, LooksLikeV1WithShapeAndChunks) {
  EXPECT_TRUE(LooksLikeV1(Json(ReadLargeV1Example())));
  EXPECT_FALSE(LooksLikeV1(Json(R"({"shape": [1]})")));
  EXPECT_FALSE(LooksLikeV1(Json(R"({"chunks": [1]})")));
  EXPECT_FALSE(LooksLikeV1(Json("[]")));
}

// --- before 1.0 --------------------------------------------------------------------------------------------------

constexpr std::string_view kZmeta = R"({"chunks": [10, 10], "clevel": 5, "cname": "blosclz", "dtype": "<i4",
  "fill_value": -1, "shape": [20, 30], "shuffle": 1})";

TEST(V0Json, ReadsZmeta) {
  const ArrayMetadata array = ParseArrayV1(Json(kZmeta), Json(R"({"a": 1})"), ZarrFormat::kV0);
  EXPECT_EQ(array.zarr_format, ZarrFormat::kV0);
  EXPECT_EQ(array.shape, (Shape{20, 30}));
  EXPECT_EQ(CodecsOf(array), "numcodecs.blosc");
  EXPECT_EQ(array.codecs[0].configuration.At("cname").AsString(), "blosclz");
  EXPECT_EQ(array.chunk_key_encoding, (ChunkKeyEncoding{Keys::kV0, '.'}));
  EXPECT_EQ(array.chunk_key_encoding.Format({1, 2}), "__zdata__/1.2.blosc");
  EXPECT_EQ(HexOfFill(array), "ff ff ff ff");
  EXPECT_EQ(array.attributes.At("a").AsInt64(), 1);
}

}  // namespace
}  // namespace zarr
