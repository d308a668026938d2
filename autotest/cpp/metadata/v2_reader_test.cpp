// SPDX-License-Identifier: MIT
#include "autotest/cpp/support/codec_names.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {
namespace {

using Keys = ChunkKeyEncoding::Kind;
using Kind = DataType::Kind;
using test::CodecsOf;
using test::ExpectError;
using test::Json;
using test::LittleEndianHex;

ArrayMetadata ArrayOfV2(std::string_view zarray, const std::optional<JsonNode>& zattrs = std::nullopt) {
  return ParseArrayV2(Json(zarray), zattrs);
}

/// A document with these members in addition to the format, `shape` and `chunks`.
std::string DocumentOfV2(std::string_view members) {
  return R"({"zarr_format": 2, "shape": [20, 30], "chunks": [10, 7], )" + std::string(members) + "}";
}

TEST(V2Json, ReadsAnArray) {
  const ArrayMetadata array = ArrayOfV2(DocumentOfV2(R"("dtype": ">i2", "order": "C", "fill_value": 258,
      "compressor": {"id": "zlib", "level": 3}, "filters": [{"id": "delta", "dtype": ">i2"}])"),
                                        Json(R"({"units": "m"})"));
  EXPECT_EQ(array.zarr_format, ZarrFormat::kV2);
  EXPECT_EQ(array.shape, (Shape{20, 30}));
  EXPECT_EQ(array.chunk_grid.uniform_chunk_shape(), (Shape{10, 7}));
  EXPECT_EQ(array.chunk_grid.grid_shape(), (Shape{2, 5}));
  EXPECT_EQ(array.data_type.endian, Endian::kBig);
  EXPECT_EQ(LittleEndianHex(array.fill_value.bytes, array.data_type), "02 01");
  EXPECT_EQ(CodecsOf(array), "numcodecs.delta numcodecs.zlib");
  EXPECT_EQ(array.codecs[1].configuration.At("level").AsInt64(), 3);
  EXPECT_EQ(array.codecs[1].configuration.pointer(), "/compressor");
  EXPECT_TRUE(array.implicit_bytes);
  EXPECT_EQ(array.chunk_key_encoding, (ChunkKeyEncoding{Keys::kV2, '.'}));
  EXPECT_EQ(array.attributes.At("units").AsString(), "m");
}

TEST(V2Json, FiltersMayBeEmptyNullOrMissing) {
  EXPECT_EQ(CodecsOf(ArrayOfV2(DocumentOfV2(R"("dtype": "<i2", "compressor": null, "filters": [])"))), "");
  EXPECT_EQ(CodecsOf(ArrayOfV2(DocumentOfV2(R"("dtype": "<i2", "compressor": null, "filters": null)"))), "");
  EXPECT_EQ(CodecsOf(ArrayOfV2(DocumentOfV2(R"("dtype": "<i2", "compressor": {"id": "gzip"})"))), "numcodecs.gzip");
  EXPECT_EQ(CodecsOf(ArrayOfV2(DocumentOfV2(R"("dtype": "<i2")"))), "");
}

TEST(V2Json, OrderFIsATransposeBeforeTheFilters) {
  const ArrayMetadata array =
      ArrayOfV2(DocumentOfV2(R"("dtype": "<i2", "order": "F", "filters": [{"id": "shuffle"}])"));
  EXPECT_EQ(CodecsOf(array), "transpose numcodecs.shuffle");
  EXPECT_EQ(array.codecs[0].configuration.Dump(), R"({"order":[1,0]})");
  EXPECT_EQ(array.codecs[0].configuration.pointer(), "/order");
  EXPECT_EQ(CodecsOf(ArrayOfV2(DocumentOfV2(R"("dtype": "<i2", "order": null)"))), "");
}

TEST(V2Json, DimensionSeparators) {
  EXPECT_EQ(ArrayOfV2(DocumentOfV2(R"("dtype": "<i2", "dimension_separator": "/")")).chunk_key_encoding,
            (ChunkKeyEncoding{Keys::kV2, '/'}));
  EXPECT_EQ(ArrayOfV2(DocumentOfV2(R"("dtype": "<i2", "dimension_separator": ".")")).chunk_key_encoding,
            (ChunkKeyEncoding{Keys::kV2, '.'}));
  EXPECT_EQ(ArrayOfV2(DocumentOfV2(R"("dtype": "<i2", "dimension_separator": null)")).chunk_key_encoding,
            (ChunkKeyEncoding{Keys::kV2, '.'}));
}

TEST(V2Json, StructuredTypes) {
  const ArrayMetadata array = ArrayOfV2(
      DocumentOfV2(R"("dtype": [["a", ">i2"], ["b", "|S2"], ["c", "<f4", [2]]], "fill_value": "AAECAwAAgD8AAABA")"));
  EXPECT_EQ(array.data_type.size, 12u);
  EXPECT_EQ(LittleEndianHex(array.fill_value.bytes, array.data_type), "01 00 02 03 00 00 80 3f 00 00 00 40");
}

TEST(V2Json, ObjectsAreWhatTheirFilterSays) {
  const ArrayMetadata text =
      ArrayOfV2(DocumentOfV2(R"("dtype": "|O", "fill_value": 0, "filters": [{"id": "vlen-utf8"}])"));
  EXPECT_EQ(text.data_type.kind, Kind::kString);
  EXPECT_EQ(CodecsOf(text), "numcodecs.vlen-utf8");
  EXPECT_EQ(AsText(text.fill_value.bytes), "0");
  EXPECT_EQ(ArrayOfV2(DocumentOfV2(R"("dtype": "|O", "filters": [{"id": "vlen-bytes"}])")).data_type.kind,
            Kind::kBytes);
  EXPECT_EQ(ArrayOfV2(DocumentOfV2(R"("dtype": "|O", "filters": [{"id": "pickle"}])")).data_type.kind, Kind::kUnknown);
  EXPECT_EQ(ArrayOfV2(DocumentOfV2(R"("dtype": "|O")")).data_type.kind, Kind::kUnknown);
}

TEST(V2Json, FillValues) {
  const std::tuple<const char*, const char*, const char*> known[] = {
      {"\"<f4\"", "\"NaN\"", "00 00 c0 7f"},         {"\"<f4\"", "NaN", "00 00 c0 7f"}, {"\"<i2\"", "[7]", "07 00"},
      {"\"|S3\"", "\"YWI=\"", "61 62 00"},           {"\"|S3\"", "0", "00 00 00"},      {"\">i4\"", "1", "01 00 00 00"},
      {"\"<M8[D]\"", "0", "00 00 00 00 00 00 00 00"}};
  for (const auto& [dtype, fill, hex] : known) {
    const ArrayMetadata array =
        ArrayOfV2(DocumentOfV2(R"("dtype": )" + std::string(dtype) + R"(, "fill_value": )" + fill));
    EXPECT_EQ(LittleEndianHex(array.fill_value.bytes, array.data_type), hex) << dtype << " " << fill;
    EXPECT_TRUE(array.fill_value.defined);
  }
  EXPECT_FALSE(ArrayOfV2(DocumentOfV2(R"("dtype": "<i2", "fill_value": null)")).fill_value.defined);
  EXPECT_FALSE(ArrayOfV2(DocumentOfV2(R"("dtype": "<i2")")).fill_value.defined);
}

TEST(V2Json, DimensionNamesAreThoseOfXarray) {
  const ArrayMetadata array = ArrayOfV2(DocumentOfV2(R"("dtype": "<i2")"), Json(R"({"_ARRAY_DIMENSIONS": ["y", 5]})"));
  ASSERT_EQ(array.dimension_names.size(), 2u);
  EXPECT_EQ(array.dimension_names[0], "y");
  EXPECT_EQ(array.dimension_names[1], std::nullopt);
  EXPECT_TRUE(
      ArrayOfV2(DocumentOfV2(R"("dtype": "<i2")"), Json(R"({"_ARRAY_DIMENSIONS": ["y"]})")).dimension_names.empty());
  EXPECT_TRUE(
      ArrayOfV2(DocumentOfV2(R"("dtype": "<i2")"), Json(R"({"_ARRAY_DIMENSIONS": "yx"})")).dimension_names.empty());
}

TEST(V2Json, RankZero) {
  const ArrayMetadata array =
      ArrayOfV2(R"({"zarr_format": 2, "shape": [], "chunks": [], "dtype": "<i4", "order": "F"})");
  EXPECT_EQ(array.shape.size(), 0u);
  EXPECT_EQ(array.chunk_key_encoding.Format({}), "0");
  EXPECT_EQ(array.codecs.at(0).configuration.Dump(), R"({"order":[]})");
}

TEST(V2Json, ZeroLengths) {
  const ArrayMetadata array = ArrayOfV2(R"({"zarr_format": 2, "shape": [0, 5], "chunks": [3, 5], "dtype": "<i4"})");
  EXPECT_EQ(array.chunk_grid.grid_shape(), (Shape{0, 1}));
}

TEST(V2Json, MembersThatAreNotKnownAreIgnored) {
  EXPECT_NO_THROW(ArrayOfV2(DocumentOfV2(R"("dtype": "<i2", "_NCZARR_ARRAY": {"dimrefs": []})")));
}

TEST(V2Json, RefusesWhatIsWrong) {
  const std::pair<std::string, const char*> wrong[] = {
      {"[]", ""},
      {"null", ""},
      {R"({"shape": [1], "chunks": [1], "dtype": "<i2"})", ""},
      {R"({"zarr_format": 2, "chunks": [1], "dtype": "<i2"})", ""},
      {R"({"zarr_format": 2, "shape": [1], "dtype": "<i2"})", ""},
      {R"({"zarr_format": 2, "shape": [1], "chunks": [1]})", ""},
      {R"({"zarr_format": 2, "shape": [1], "chunks": [0], "dtype": "<i2"})", "/chunks/0"},
      {R"({"zarr_format": 2, "shape": [1], "chunks": [-10], "dtype": "<i2"})", "/chunks/0"},
      {R"({"zarr_format": 2, "shape": [1, 1], "chunks": [1], "dtype": "<i2"})", "/chunks"},
      {R"({"zarr_format": 2, "shape": [1], "chunks": null, "dtype": "<i2"})", "/chunks"},
      {R"({"zarr_format": 2, "shape": [20.5], "chunks": [1], "dtype": "<i2"})", "/shape/0"},
      {R"({"zarr_format": 2, "shape": [1e300], "chunks": [1], "dtype": "<i2"})", "/shape/0"},
      {DocumentOfV2(R"("dtype": 7)"), "/dtype"},
      {DocumentOfV2(R"("dtype": "<i2", "order": "X")"), "/order"},
      {DocumentOfV2(R"("dtype": "<i2", "compressor": "zlib")"), "/compressor"},
      {DocumentOfV2(R"("dtype": "<i2", "compressor": {"level": 1})"), "/compressor"},
      {DocumentOfV2(R"("dtype": "<i2", "compressor": {"id": 1})"), "/compressor/id"},
      {DocumentOfV2(R"("dtype": "<i2", "filters": {})"), "/filters"},
      {DocumentOfV2(R"("dtype": "<i2", "filters": ["delta"])"), "/filters/0"},
      {DocumentOfV2(R"("dtype": "<i2", "dimension_separator": "../")"), "/dimension_separator"},
      {DocumentOfV2(R"("dtype": "<i2", "dimension_separator": 5)"), "/dimension_separator"},
      {DocumentOfV2(R"("dtype": "<i2", "fill_value": "abc")"), "/fill_value"},
  };
  for (const auto& [text, pointer] : wrong) {
    SCOPED_TRACE(text);
    ExpectError([&, &text = text] { ArrayOfV2(text); }, ErrorKind::kCorrupt, pointer, "expected");
  }
  ExpectError([] { ArrayOfV2(DocumentOfV2(R"("dtype": "<i2")"), Json("[]")); }, ErrorKind::kCorrupt, "", "an object");
}

TEST(V2Json, RefusesOtherFormats) {
  ExpectError([] { ArrayOfV2(R"({"zarr_format": 9})"); }, ErrorKind::kUnsupported, "/zarr_format", "got 9");
  ExpectError([] { ArrayOfV2(R"({"zarr_format": "3"})"); }, ErrorKind::kUnsupported, "/zarr_format", "got \"3\"");
  ExpectError([] { ArrayOfV2(R"({"zarr_format": true})"); }, ErrorKind::kUnsupported, "/zarr_format", "got true");
  ExpectError([] { ParseGroupV2(Json(R"({"zarr_format": 3})"), std::nullopt); }, ErrorKind::kUnsupported,
              "/zarr_format", "got 3");
}

TEST(V2Json, RefusesTooManyDimensions) {
  std::string ones = "1";
  for (int i = 1; i < 500; ++i) ones += ",1";
  ExpectError(
      [&] {
        ArrayOfV2(R"({"zarr_format": 2, "shape": [)" + ones + R"(], "chunks": [)" + ones + R"(], "dtype": "<i2"})");
      },
      ErrorKind::kLimitExceeded, "/shape", "at most 64 dimensions, got 500");
}

TEST(V2Json, Groups) {
  const GroupMetadata group = ParseGroupV2(Json(R"({"zarr_format": 2})"), Json(R"({"title": "x"})"));
  EXPECT_EQ(group.zarr_format, ZarrFormat::kV2);
  EXPECT_EQ(group.attributes.At("title").AsString(), "x");
  EXPECT_FALSE(group.consolidated);
  EXPECT_TRUE(ParseGroupV2(Json(R"({"zarr_format": 2})"), std::nullopt).attributes.IsNull());
  ExpectError([] { ParseGroupV2(Json("[]"), std::nullopt); }, ErrorKind::kCorrupt, "", "an object");
}

}  // namespace
}  // namespace zarr
