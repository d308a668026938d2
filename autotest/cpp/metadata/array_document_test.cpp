// SPDX-License-Identifier: MIT
#include <limits>
#include <tuple>

#include "autotest/cpp/support/codec_names.h"
#include "autotest/cpp/support/test_data.h"
#include "autotest/cpp/support/test_util.h"
#include "zarrlib/metadata/array_metadata.h"

namespace zarr {
namespace {

using Kind = DataType::Kind;
using Keys = ChunkKeyEncoding::Kind;
using test::CodecsOf;
using test::ErrorOf;
using test::ExpectError;
using test::Json;

// --- writing and reading again ------------------------------------------------------------------------------------

std::string TextOf(const MetadataDocument& document) {
  return document.content.Dump(document.name == "zarr.json" ? JsonNode::Style::kV3 : JsonNode::Style::kV2);
}

JsonNode Stored(const MetadataDocument& document) {
  return JsonNode::Parse(TextOf(document), "store", document.name);
}

ArrayMetadata ReadBack(const ArrayMetadata& array) {
  const auto documents = MakeDocuments(array);
  const auto attributes = documents.size() > 1 ? std::optional(Stored(documents[1])) : std::nullopt;
  switch (array.zarr_format) {
    case ZarrFormat::kV1:
      return ParseArrayV1(Stored(documents[0]), attributes, ZarrFormat::kV1);
    case ZarrFormat::kV2:
      return ParseArrayV2(Stored(documents[0]), attributes);
    default:
      return ParseArrayV3(Stored(documents[0]));
  }
}

ChunkKeyEncoding KeysOf(ZarrFormat format) {
  if (format == ZarrFormat::kV1) return {Keys::kV1, '.'};
  if (format == ZarrFormat::kV2) return {Keys::kV2, '.'};
  return {Keys::kDefault, '/'};
}

ArrayMetadata Make(ZarrFormat format, DataType type) {
  ArrayMetadata array;
  array.zarr_format = format;
  array.shape = {20, 30};
  array.data_type = std::move(type);
  array.chunk_grid = ChunkGrid::MakeRegular(array.shape, {10, 7});
  array.chunk_key_encoding = KeysOf(format);
  array.fill_value = MakeZeroFill(array.data_type);
  array.implicit_bytes = true;
  return array;
}

void ExpectSame(const ArrayMetadata& a, const ArrayMetadata& b) {
  EXPECT_EQ(a.zarr_format, b.zarr_format);
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.data_type, b.data_type);
  EXPECT_EQ(a.fill_value.bytes, b.fill_value.bytes);
  EXPECT_EQ(a.fill_value.defined || a.zarr_format == ZarrFormat::kV3, b.fill_value.defined);  // v3 has no null
  EXPECT_EQ(a.chunk_grid.kind(), b.chunk_grid.kind());
  ASSERT_EQ(a.chunk_grid.rank(), b.chunk_grid.rank());
  for (std::size_t i = 0; i < a.chunk_grid.rank(); ++i) {
    const auto x = a.chunk_grid.axis(i).runs();
    const auto y = b.chunk_grid.axis(i).runs();
    EXPECT_TRUE(std::equal(x.begin(), x.end(), y.begin(), y.end())) << "axis " << i;
  }
  EXPECT_EQ(a.chunk_key_encoding, b.chunk_key_encoding);
  EXPECT_EQ(a.dimension_names, b.dimension_names);
}

/// Makes elements of that value, whatever its bytes.
FillValue FillOf(const DataType& type, unsigned char byte) {
  if (type.variable()) return {ToBytes(std::string(3, static_cast<char>(byte % 128))), true};
  return {Bytes(type.size, static_cast<std::byte>(byte)), true};
}

// --- every type ---------------------------------------------------------------------------------------------------

using TypeCase = std::tuple<ZarrFormat, const char*>;
class EveryType : public testing::TestWithParam<TypeCase> {};

TEST_P(EveryType, ComesBack) {
  const auto [format, text] = GetParam();
  const bool v3 = format == ZarrFormat::kV3;
  DataType type = v3 ? DataType::FromV3(Json(text)) : DataType::FromV2(Json(text));
  if (type.name == "|O") type.kind = Kind::kString;
  const bool text_type = type.kind == Kind::kFixedUtf32;
  for (const unsigned char byte : {0, 2, 65, 255}) {
    ArrayMetadata array = Make(format, type);
    array.fill_value = FillOf(type, byte);
    if (type.kind == Kind::kBool) array.fill_value.bytes[0] = std::byte{byte != 0};
    if (type.bits > 0) array.fill_value.bytes[0] = std::byte{static_cast<unsigned char>(byte != 0)};
    if (text_type && byte != 0) array.fill_value.bytes = test::BytesOf<std::uint32_t>({byte, 0x1F600, 0});
    // v1 and v2 have only one NaN, and only bytes that are ASCII text.
    const bool number = type.kind == Kind::kFloat || type.kind == Kind::kComplex;
    if (byte == 255 && !v3 && number) continue;
    if (byte != 0 && format == ZarrFormat::kV1 && type.kind == Kind::kStruct) continue;
    if (byte == 255 && format == ZarrFormat::kV1 && (type.kind == Kind::kFixedBytes || type.kind == Kind::kRaw))
      continue;
    SCOPED_TRACE(std::string(text) + " " + std::to_string(byte) + "\n" + TextOf(MakeDocuments(array)[0]));
    const ArrayMetadata read = ReadBack(array);
    ExpectSame(array, read);
    EXPECT_EQ(read.data_type.endian, v3 ? std::nullopt : type.endian);
    ExpectSame(read, ReadBack(read));  // written with the document that was read, too
    EXPECT_EQ(ReadBack(read).document, read.document);
  }
}

TEST_P(EveryType, AnUndefinedFillValueIsNullButInV3) {
  const auto [format, text] = GetParam();
  const bool v3 = format == ZarrFormat::kV3;
  DataType type = v3 ? DataType::FromV3(Json(text)) : DataType::FromV2(Json(text));
  if (type.name == "|O") type.kind = Kind::kString;
  const JsonNode document = MakeDocuments(Make(format, type))[0].content;
  EXPECT_EQ(document.At("fill_value").IsNull(), !v3) << document.Dump();
  EXPECT_EQ(ReadBack(Make(format, type)).fill_value.bytes, MakeZeroFill(type).bytes);
}

constexpr const char* kV3Types[] = {
    R"("bool")",
    R"("int8")",
    R"("int16")",
    R"("int32")",
    R"("int64")",
    R"("uint8")",
    R"("uint16")",
    R"("uint32")",
    R"("uint64")",
    R"("float16")",
    R"("float32")",
    R"("float64")",
    R"("bfloat16")",
    R"("int2")",
    R"("uint4")",
    R"("float8_e4m3")",
    R"("float8_e5m2fnuz")",
    R"("float4_e2m1fn")",
    R"("complex_float16")",
    R"("complex_bfloat16")",
    R"("complex_float8_e5m2")",
    R"("complex64")",
    R"("complex128")",
    R"("string")",
    R"("bytes")",
    R"("variable_length_bytes")",
    R"("r24")",
    R"({"name": "raw_bytes", "configuration": {"length_bytes": 3}})",
    R"({"name": "null_terminated_bytes", "configuration": {"length_bytes": 5}})",
    R"({"name": "fixed_length_utf32", "configuration": {"length_bytes": 12}})",
    R"({"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 25}})",
    R"({"name": "numpy.timedelta64", "configuration": {"unit": "generic", "scale_factor": 1}})",
    R"({"name": "struct", "configuration": {"fields": [{"name": "a", "data_type": "int16"},
        {"name": "b", "data_type": {"name": "struct", "configuration": {"fields": [{"name": "c", "data_type": "float64"}]}}}]}})"};
constexpr const char* kV2Types[] = {
    R"("|b1")",      R"("|i1")",  R"("<i2")",
    R"(">i4")",      R"("<i8")",  R"("|u1")",
    R"(">u2")",      R"("<u4")",  R"("<u8")",
    R"("<f2")",      R"(">f4")",  R"("<f8")",
    R"("<c8")",      R"(">c16")", R"("<M8[ns]")",
    R"("<M8[25s]")", R"("<m8")",  R"("|S5")",
    R"("<U3")",      R"("|V3")",  R"([["a", "<i2"], ["b", ">f8", [2, 3]], ["c", [["d", "|S2"]]]])"};

INSTANTIATE_TEST_SUITE_P(V3, EveryType,
                         testing::Combine(testing::Values(ZarrFormat::kV3), testing::ValuesIn(kV3Types)));
INSTANTIATE_TEST_SUITE_P(V2, EveryType,
                         testing::Combine(testing::Values(ZarrFormat::kV2), testing::ValuesIn(kV2Types)));
INSTANTIATE_TEST_SUITE_P(V2Object, EveryType, testing::Values(TypeCase{ZarrFormat::kV2, R"("|O")"}));
INSTANTIATE_TEST_SUITE_P(V1, EveryType,
                         testing::Combine(testing::Values(ZarrFormat::kV1), testing::ValuesIn(kV2Types)));

TEST(ArrayDocument, TypesThatAFormatLacks) {
  for (const char* name : {R"("bfloat16")", R"("int4")", R"("float8_e4m3")", R"("complex_float16")"}) {
    const ArrayMetadata array = Make(ZarrFormat::kV2, DataType::FromV3(Json(name)));
    ExpectError([&] { MakeDocuments(array); }, ErrorKind::kUnsupported, "/dtype", "v2 has no data type");
  }
  const auto v3 = Make(ZarrFormat::kV3, DataType::FromV2(Json(R"([["b", "<f8", [2, 3]]])")));
  ExpectError([&] { MakeDocuments(v3); }, ErrorKind::kUnsupported, "/data_type", "sub-array");
  const auto mixed = Make(ZarrFormat::kV3, DataType::FromV2(Json(R"([["a", "<f8"], ["b", ">i2"]])")));
  ExpectError([&] { MakeDocuments(mixed); }, ErrorKind::kUnsupported, "/codecs", "different byte orders");
}

// --- fill values --------------------------------------------------------------------------------------------------

template <typename T>
std::string FillText(ZarrFormat format, std::string_view v3_type, T value) {
  ArrayMetadata array = Make(format, DataType::FromV3(Json(v3_type)));
  array.fill_value = {test::BytesOf({value}), true};
  return MakeDocuments(array)[0].content.At("fill_value").Dump();
}

TEST(ArrayDocument, FillValuesAreExact) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto v3 = [](std::string_view type, auto value) { return FillText(ZarrFormat::kV3, type, value); };
  const auto v2 = [](std::string_view type, auto value) { return FillText(ZarrFormat::kV2, type, value); };
  const auto v1 = [](std::string_view type, auto value) { return FillText(ZarrFormat::kV1, type, value); };
  EXPECT_EQ(v3(R"("uint64")", UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(v3(R"("int64")", INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(v3(R"("float32")", -9999.0f), "-9999.0");
  EXPECT_EQ(v3(R"("float64")", -0.0), "-0.0");
  EXPECT_EQ(v3(R"("float64")", 0.1), "0.1");
  EXPECT_EQ(v3(R"("float64")", kNan), R"("NaN")");
  EXPECT_EQ(v3(R"("float64")", -kInfinity), R"("-Infinity")");
  EXPECT_EQ(v3(R"("float32")", std::uint32_t{0x7FC00001}), R"("0x7fc00001")");
  EXPECT_EQ(v3(R"("float16")", std::uint16_t{0xFE00}), R"("0xfe00")");
  EXPECT_EQ(v3(R"("bool")", std::uint8_t{1}), "true");
  EXPECT_EQ(v2(R"("float64")", kNan), R"("NaN")");
  EXPECT_EQ(v2(R"("float32")", std::uint32_t{0xFFC00000}), R"("NaN")");
  EXPECT_EQ(v2(R"("float64")", kInfinity), R"("Infinity")");
  EXPECT_EQ(v2(R"("uint64")", UINT64_MAX), "18446744073709551615");
  EXPECT_EQ(v1(R"("float64")", kNan), "NaN");
  EXPECT_EQ(v1(R"("float64")", -kInfinity), "-Infinity");
}

// --- grids --------------------------------------------------------------------------------------------------------

TEST(ArrayDocument, RectilinearGridsAreRunLengths) {
  const std::pair<const char*, const char*> cases[] = {
      {"4", "4"},
      {"[1, 2, 3]", "[1,2,3]"},
      {"[[4, 2]]", "4"},
      {"[[1, 3], 3]", "[[1,3],3]"},
      {"[4, 4, 4]", "[[4,3]]"},  // chunks beyond the end are kept
  };
  for (const auto& [declared, written] : cases) {
    ArrayMetadata array = Make(ZarrFormat::kV3, DataType());
    array.shape = {6};
    array.chunk_grid = {ChunkGrid::Kind::kRectilinear, {ChunkAxis::FromJson(6, Json(declared))}};
    const JsonNode grid = MakeDocuments(array)[0].content.At("chunk_grid");
    EXPECT_EQ(grid.Dump(), std::string(R"({"name":"rectilinear","configuration":{"kind":"inline","chunk_shapes":[)") +
                               written + "]}}");
    ExpectSame(array, ReadBack(array));
  }
}

TEST(ArrayDocument, OneRunOfVeryManyChunks) {
  ArrayMetadata array = Make(ZarrFormat::kV3, DataType());
  array.shape = {5};
  array.chunk_grid = {ChunkGrid::Kind::kRectilinear, {ChunkAxis::FromRuns(5, {{1, 1000000000000}})}};
  EXPECT_EQ(MakeDocuments(array)[0].content.At("chunk_grid").At("configuration").At("chunk_shapes").Dump(),
            "[[[1,1000000000000]]]");
}

TEST(ArrayDocument, OlderFormatsHaveRegularGridsOnly) {
  for (const ZarrFormat format : {ZarrFormat::kV1, ZarrFormat::kV2}) {
    ArrayMetadata array = Make(format, DataType());
    array.chunk_grid = {ChunkGrid::Kind::kRectilinear,
                        {ChunkAxis::FromRuns(20, {{5, 1}, {15, 1}}), ChunkAxis::MakeRegular(30, 7)}};
    ExpectError([&] { MakeDocuments(array); }, ErrorKind::kUnsupported, "/chunks", "only v3");
  }
}

TEST(ArrayDocument, NoDimensions) {
  for (const ZarrFormat format : {ZarrFormat::kV2, ZarrFormat::kV3}) {
    ArrayMetadata array = Make(format, DataType());
    array.shape = Shape();
    array.chunk_grid = ChunkGrid::MakeRegular(array.shape, Shape());
    ExpectSame(array, ReadBack(array));
  }
}

// --- keys, names, attributes --------------------------------------------------------------------------------------

TEST(ArrayDocument, KeysOfEveryKind) {
  for (const ChunkKeyEncoding& keys : {ChunkKeyEncoding{Keys::kDefault, '/'}, ChunkKeyEncoding{Keys::kDefault, '.'},
                                       ChunkKeyEncoding{Keys::kDefault, '.', 'c', ".tiff"},
                                       ChunkKeyEncoding{Keys::kV2, '/'}, ChunkKeyEncoding{Keys::kV2, '.'}}) {
    ArrayMetadata array = Make(ZarrFormat::kV3, DataType());
    array.chunk_key_encoding = keys;
    ExpectSame(array, ReadBack(array));
  }
  ArrayMetadata v2 = Make(ZarrFormat::kV2, DataType());
  EXPECT_FALSE(MakeDocuments(v2)[0].content.Has("dimension_separator"));
  v2.chunk_key_encoding.separator = '/';
  EXPECT_EQ(MakeDocuments(v2)[0].content.At("dimension_separator").AsString(), "/");
  ExpectSame(v2, ReadBack(v2));
  v2.chunk_key_encoding = {Keys::kDefault, '/'};
  ExpectError([&] { MakeDocuments(v2); }, ErrorKind::kUnsupported, "/chunk_key_encoding", "chunk keys");
}

TEST(ArrayDocument, NamesOfDimensions) {
  ArrayMetadata array = Make(ZarrFormat::kV3, DataType());
  array.dimension_names = {"y", std::nullopt};
  ExpectSame(array, ReadBack(array));
  ArrayMetadata unnamed = ReadBack(array);
  unnamed.dimension_names.clear();
  EXPECT_FALSE(MakeDocuments(unnamed)[0].content.Has("dimension_names"));

  array = Make(ZarrFormat::kV2, DataType());
  EXPECT_EQ(MakeDocuments(array).size(), 1u);
  array.dimension_names = {"y", "x"};
  array.attributes = Json(R"({"_ARRAY_DIMENSIONS": ["old", "names"], "units": "m"})");
  EXPECT_EQ(MakeDocuments(array)[1].name, ".zattrs");
  EXPECT_EQ(MakeDocuments(array)[1].content.Dump(), R"({"_ARRAY_DIMENSIONS":["y","x"],"units":"m"})");
  ExpectSame(array, ReadBack(array));
}

TEST(ArrayDocument, AnArrayWithoutDimensionsSaysSoToXarray) {
  ArrayMetadata array;
  array.zarr_format = ZarrFormat::kV2;
  array.data_type = DataType::FromV2(Json(R"("<i4")"));
  array.chunk_grid = ChunkGrid::MakeRegular({}, {});
  array.chunk_key_encoding = {ChunkKeyEncoding::Kind::kV2, '.'};
  array.fill_value = MakeZeroFill(array.data_type);
  array.implicit_bytes = true;
  ASSERT_EQ(MakeDocuments(array).size(), 2u);
  EXPECT_EQ(MakeDocuments(array)[1].content.Dump(), R"({"_ARRAY_DIMENSIONS":[]})");
}

TEST(ArrayDocument, AttributesOfV3MayHoldWhatPythonTakesForJson) {
  ArrayMetadata array = Make(ZarrFormat::kV3, DataType());
  array.attributes = Json(R"({"a": [NaN, 1], "b": {"c": -Infinity}, "\u00e9": "\u00e9"})");
  EXPECT_EQ(MakeDocuments(array)[0].content.At("attributes").Dump(),
            R"({"a":[NaN,1],"b":{"c":-Infinity},"\u00e9":"\u00e9"})");
}

TEST(ArrayDocument, UnknownMembersAreKept) {
  ArrayMetadata v2 = ParseArrayV2(Json(R"({"zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "<i4", "order": "C",
      "fill_value": 0, "filters": [], "compressor": {"id": "other", "x": 1}, "_other": {"a": 1}})"),
                                  std::nullopt);
  v2.shape = {6};
  v2.chunk_grid = ChunkGrid::MakeRegular(v2.shape, {2});
  EXPECT_EQ(MakeDocuments(v2)[0].content.Dump(),
            R"({"zarr_format":2,"shape":[6],"chunks":[2],"dtype":"<i4","order":"C","fill_value":0,"filters":[],)"
            R"("compressor":{"id":"other","x":1},"_other":{"a":1}})");
  ArrayMetadata v3 = ReadBack(Make(ZarrFormat::kV3, DataType()));
  v3 = ParseArrayV3(
      Json(v3.document.Dump().substr(0, v3.document.Dump().size() - 1) + R"(, "ext": {"must_understand": false}})"));
  EXPECT_TRUE(MakeDocuments(v3)[0].content.Has("ext"));
}

// --- v1 -----------------------------------------------------------------------------------------------------------

TEST(ArrayDocument, V1IsTheExampleOfItsSpecification) {
  ArrayMetadata array = Make(ZarrFormat::kV1, DataType::FromV2(Json(R"("<f8")")));
  array.shape = {10000, 10000};
  array.chunk_grid = ChunkGrid::MakeRegular(array.shape, {1000, 1000});
  array.codecs = {{"numcodecs.blosc", Json(R"({"cname": "lz4", "clevel": 5, "shuffle": 1})")}};
  const auto documents = MakeDocuments(array);
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0].name, "meta");
  EXPECT_EQ(TextOf(documents[0]), test::ReadLargeV1Example());
  EXPECT_EQ(documents[1].name, "attrs");
  EXPECT_EQ(TextOf(documents[1]), "{}");
}

TEST(ArrayDocument, V1HasOneCompressorAndNoFilters) {
  const auto with = [](std::vector<CodecSpec> codecs) {
    ArrayMetadata array = Make(ZarrFormat::kV1, DataType::FromV2(Json(R"("<i4")")));
    array.codecs = std::move(codecs);
    return array;
  };
  const CodecSpec order{"transpose", Json(R"({"order": [1, 0]})")};
  const CodecSpec zlib{"numcodecs.zlib", Json(R"({"level": 4})")};
  const CodecSpec lzma{"numcodecs.lzma", Json("{}")};
  const CodecSpec blosc{"blosc", Json(R"({"cname": "zstd", "clevel": 1, "shuffle": "bitshuffle", "typesize": 4})")};
  EXPECT_EQ(MakeDocuments(with({}))[0].content.At("compression").AsString(), "none");
  EXPECT_EQ(MakeDocuments(with({zlib}))[0].content.At("compression_opts").Dump(), "4");
  EXPECT_EQ(MakeDocuments(with({lzma}))[0].content.At("compression_opts").Dump(),
            R"({"check":0,"filters":null,"format":1,"preset":1})");
  EXPECT_EQ(MakeDocuments(with({blosc}))[0].content.At("compression_opts").Dump(),
            R"({"clevel":1,"cname":"zstd","shuffle":2})");
  EXPECT_EQ(CodecsOf(ReadBack(with({order, blosc}))), "transpose numcodecs.blosc");
  ExpectError([&] { MakeDocuments(with({order, zlib})); }, ErrorKind::kUnsupported, "/order", "blosc only");
  ExpectError(
      [&] {
        MakeDocuments(with({{"numcodecs.delta", Json("{}")}, zlib}));
      },
      ErrorKind::kUnsupported, "/compression", "no filters");
  ExpectError(
      [&] {
        MakeDocuments(with({{"zstd", Json("{}")}}));
      },
      ErrorKind::kUnsupported, "/compression", "got zstd");
}

TEST(ArrayDocument, V1KeepsAnOrderThatItDoesNotStore) {
  const char* meta = R"({"zarr_format": 1, "shape": [2, 3], "chunks": [2, 3], "dtype": "<i4", "compression": "zlib",
                         "compression_opts": 1, "fill_value": 1, "order": "F"})";
  const ArrayMetadata array = ParseArrayV1(Json(meta), std::nullopt, ZarrFormat::kV1);
  EXPECT_EQ(MakeDocuments(array)[0].content.Dump(), Json(meta).Dump());
}

// --- groups -------------------------------------------------------------------------------------------------------

TEST(GroupDocument, OfEveryFormat) {
  const JsonNode attributes = Json(R"({"a": 1})");
  const auto v3 = MakeDocuments(GroupMetadata{ZarrFormat::kV3, attributes, std::nullopt});
  ASSERT_EQ(v3.size(), 1u);
  EXPECT_EQ(v3[0].content.Dump(), R"({"zarr_format":3,"node_type":"group","attributes":{"a":1}})");
  const auto v2 = MakeDocuments(GroupMetadata{ZarrFormat::kV2, attributes, std::nullopt});
  ASSERT_EQ(v2.size(), 2u);
  EXPECT_EQ(v2[0].content.Dump(), R"({"zarr_format":2})");
  EXPECT_EQ(v2[1].content.Dump(), R"({"a":1})");
  EXPECT_EQ(MakeDocuments(GroupMetadata{ZarrFormat::kV2, {}, std::nullopt}).size(), 1u);
  EXPECT_EQ(ErrorOf([] {
              MakeDocuments(GroupMetadata{ZarrFormat::kV1, {}, std::nullopt});
            }).kind(),
            ErrorKind::kUnsupported);
}

}  // namespace
}  // namespace zarr
