// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/data_type.h"

#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

using Kind = DataType::Kind;
using test::BytesOf;
using test::ExpectError;
using test::HexOf;
using test::Json;

DataType TypeOfV2(std::string_view text) {
  return DataType::FromV2(Json(text));
}

DataType TypeOfV3(std::string_view text) {
  return DataType::FromV3(Json(text));
}

std::string Stored(const DataType& type, Endian stored, const Bytes& elements) {
  Bytes out(elements.size());
  SwapBytes(type, stored, elements.data(), out.data(), elements.size() / type.size);
  Bytes in_place = elements;
  SwapBytes(type, stored, in_place.data(), in_place.data(), elements.size() / type.size);
  EXPECT_EQ(in_place, out);
  return HexOf(out);
}

// --- v1 and v2 ---------------------------------------------------------------------------------------------------

TEST(DataTypeV2, Typestrs) {
  const std::tuple<const char*, Kind, std::size_t, std::size_t> known[] = {{"|b1", Kind::kBool, 1, 1},
                                                                           {"|i1", Kind::kInt, 1, 1},
                                                                           {"<i2", Kind::kInt, 2, 2},
                                                                           {"<i4", Kind::kInt, 4, 4},
                                                                           {"<i8", Kind::kInt, 8, 8},
                                                                           {"|u1", Kind::kUint, 1, 1},
                                                                           {"<u8", Kind::kUint, 8, 8},
                                                                           {"<f2", Kind::kFloat, 2, 2},
                                                                           {"<f4", Kind::kFloat, 4, 4},
                                                                           {"<f8", Kind::kFloat, 8, 8},
                                                                           {"<c8", Kind::kComplex, 8, 4},
                                                                           {"<c16", Kind::kComplex, 16, 8},
                                                                           {"|S12", Kind::kFixedBytes, 12, 1},
                                                                           {"|a3", Kind::kFixedBytes, 3, 1},
                                                                           {"<U5", Kind::kFixedUtf32, 20, 4},
                                                                           {"|V7", Kind::kRaw, 7, 1},
                                                                           {"|S0", Kind::kFixedBytes, 0, 1},
                                                                           {"<M8[ns]", Kind::kDatetime64, 8, 8},
                                                                           {"<m8[25s]", Kind::kTimedelta64, 8, 8}};
  for (const auto& [text, kind, size, swap_size] : known) {
    const DataType type = DataType::FromV2(JsonNode::MakeString(text));
    EXPECT_EQ(type.kind, kind) << text;
    EXPECT_EQ(type.size, size) << text;
    EXPECT_EQ(type.swap_size(), swap_size) << text;
    EXPECT_EQ(type.name, text);
    EXPECT_FALSE(type.variable()) << text;
  }
}

TEST(DataTypeV2, NamesItsByteOrder) {
  EXPECT_EQ(TypeOfV2("\"<f4\"").endian, Endian::kLittle);
  EXPECT_EQ(TypeOfV2("\">f4\"").endian, Endian::kBig);
  EXPECT_EQ(TypeOfV2("\"=i4\"").endian, Endian::kLittle);
  EXPECT_EQ(TypeOfV2("\"<f4\""), TypeOfV2("\">f4\""));
}

TEST(DataTypeV2, TypesOfOneByteMayHaveTheOrderOfANetwork) {
  EXPECT_EQ(TypeOfV2("\"!u1\""), TypeOfV2("\"|u1\""));
  EXPECT_EQ(TypeOfV2("\"!b1\""), TypeOfV2("\"|b1\""));
  EXPECT_EQ(TypeOfV2("\"!S3\""), TypeOfV2("\"|S3\""));
  ExpectError([] { TypeOfV2("\"!u2\""); }, ErrorKind::kCorrupt, "", "expected a");
}

TEST(DataTypeV2, TimesHaveUnits) {
  EXPECT_EQ(TypeOfV2("\"<M8[ns]\"").unit, "ns");
  EXPECT_EQ(TypeOfV2("\"<M8\"").unit, "generic");
  EXPECT_EQ(TypeOfV2("\"<m8[25s]\"").unit, "s");
  EXPECT_EQ(TypeOfV2("\"<m8[25s]\"").unit_count, 25u);
  EXPECT_FALSE(TypeOfV2("\"<M8[D]\"") == TypeOfV2("\"<M8[s]\""));
  EXPECT_FALSE(TypeOfV2("\"<M8[2D]\"") == TypeOfV2("\"<M8[D]\""));
}

TEST(DataTypeV2, RefusesWhatIsNoTypestr) {
  for (const char* text :
       {R"("")",        R"("<")",    R"("<f")",   R"("f4")",   R"("<i0")", R"("<i3")",   R"("<i-4")", R"("<f1")",

        R"("|b2")",     R"("<q8")",  R"("<f4 ")", R"("<f+4")", R"("<M4")", R"("<M8[]")", R"("<M8[")", R"("<M8[x]")",
        R"("<M8[0s]")", R"("<M8s")", "7",         "null",      "{}",       "true"}) {
    SCOPED_TRACE(text);
    ExpectError([&text = text] { TypeOfV2(text); }, ErrorKind::kCorrupt, "", "expected a");
  }
}

TEST(DataTypeV2, ElementsHaveAtMostOneMiB) {
  EXPECT_EQ(TypeOfV2(R"("|S1048576")").size, 1u << 20);
  const std::pair<const char*, const char*> larger[] = {
      {R"("|S1048577")", ""},
      {R"("|V1073741824")", ""},
      {R"("<U262145")", ""},
      {R"("|S99999999999999999999999")", ""},
      {R"([["a", "<i8", [4294967296, 4294967296]]])", "/0"},
      {R"([["a", "<i8", [65536]], ["b", "<i8", [65537]]])", "/1"},
  };
  for (const auto& [text, pointer] : larger) {
    ExpectError([&text = text] { TypeOfV2(text); }, ErrorKind::kLimitExceeded, pointer,
                "elements of at most 1048576 bytes");
  }
}

TEST(DataTypeV2, TypesThatCannotBeReadAreUnknown) {
  for (const char* text : {"|O", "<f16", "<c32", "|O8"}) {
    const DataType type = DataType::FromV2(JsonNode::MakeString(text));
    EXPECT_EQ(type.kind, Kind::kUnknown);
    EXPECT_EQ(type.name, text);
  }
  EXPECT_FALSE(TypeOfV2("\"|O\"") == TypeOfV2("\"<f16\""));
}

TEST(DataTypeV2, StructsArePacked) {
  const DataType type = TypeOfV2(R"([["r", "|u1"], ["x", ">f8"], ["t", "<i2", [2, 3]], ["p", "<i2", 2], ["", "|V3"]])");
  ASSERT_EQ(type.kind, Kind::kStruct);
  ASSERT_EQ(type.fields.size(), 5u);
  EXPECT_EQ(type.size, 1u + 8 + 12 + 4 + 3);
  EXPECT_EQ(type.fields[1].offset, 1u);
  EXPECT_EQ(type.fields[1].type.endian, Endian::kBig);
  EXPECT_EQ(type.fields[2].offset, 9u);
  EXPECT_EQ(type.fields[2].shape, (Shape{2, 3}));
  EXPECT_EQ(type.fields[2].size(), 12u);
  EXPECT_EQ(type.fields[3].shape, (Shape{2}));
  EXPECT_EQ(type.fields[4].name, "");
  EXPECT_EQ(type.swap_size(), 0u);
}

TEST(DataTypeV2, StructsNestAndHaveTitles) {
  const DataType type = TypeOfV2(R"([[["a title", "a"], [["b", "<u2"], ["c", "|S3"]]]])");
  EXPECT_EQ(type.size, 5u);
  EXPECT_EQ(type.fields[0].name, "a");
  EXPECT_EQ(type.fields[0].type.fields[1].offset, 2u);
}

TEST(DataTypeV2, OnlyTheOutermostStructKeepsItsText) {
  const std::string text = R"([["a",[["b",[["c","|u1"]]]]]])";
  const DataType type = TypeOfV2(text.c_str());
  EXPECT_EQ(type.name, text);
  EXPECT_EQ(type.fields[0].type.name, "");
  EXPECT_EQ(type.fields[0].type.fields[0].type.name, "");
}

TEST(DataTypeV2, RefusesWrongStructs) {
  const std::pair<const char*, const char*> wrong[] = {
      {"[]", ""},
      {R"([["a"]])", "/0"},
      {R"(["<i4"])", "/0"},
      {R"([["a", "<i4", [2], 3]])", "/0"},
      {R"([["a", "<i9"]])", "/0/1"},
      {R"([["a", "<i4"], [7, "<i4"]])", "/1/0"},
      {R"([["a", "<i4", [-1]]])", "/0/2/0"},
      {R"([["a", [["b", "<x1"]]]])", "/0/1/0/1"},
  };
  for (const auto& [text, pointer] : wrong) {
    ExpectError([&text = text] { TypeOfV2(text); }, ErrorKind::kCorrupt, pointer, "expected");
  }
  ExpectError([] { TypeOfV2(R"([["a", "|O"]])"); }, ErrorKind::kUnsupported, "/0", "type |O");
}

// --- v3 ----------------------------------------------------------------------------------------------------------

TEST(DataTypeV3, NarrowComplexNumbersConsistOfNarrowFloats) {
  const auto make = [](const char* name) { return DataType::FromV3(JsonNode::MakeString(name)); };
  EXPECT_EQ(GetComplexPart(make("complex_bfloat16")), make("bfloat16"));
  EXPECT_EQ(GetComplexPart(make("complex_float8_e4m3")), make("float8_e4m3"));
  EXPECT_EQ(GetComplexPart(make("complex64")), make("float32"));
  EXPECT_FALSE(make("complex_float8_e4m3") == make("complex_float8_e5m2"));
  EXPECT_EQ(make("complex_bfloat16").swap_size(), 2u);
  EXPECT_EQ(make("complex_float8_e4m3").swap_size(), 1u);
  for (const char* name : {"complex_", "complex_int8", "complex_float8", "complex_complex64"}) {
    EXPECT_EQ(make(name).kind, Kind::kUnknown) << name;
  }
}

TEST(DataTypeV3, Names) {
  const std::tuple<const char*, Kind, std::size_t> known[] = {{"bool", Kind::kBool, 1},
                                                              {"int8", Kind::kInt, 1},
                                                              {"int64", Kind::kInt, 8},
                                                              {"uint16", Kind::kUint, 2},
                                                              {"uint32", Kind::kUint, 4},
                                                              {"float16", Kind::kFloat, 2},
                                                              {"float64", Kind::kFloat, 8},
                                                              {"bfloat16", Kind::kBfloat16, 2},
                                                              {"complex64", Kind::kComplex, 8},
                                                              {"complex128", Kind::kComplex, 16},
                                                              {"complex_float16", Kind::kComplex, 4},
                                                              {"complex_bfloat16", Kind::kNarrowComplex, 4},
                                                              {"complex_float8_e5m2", Kind::kNarrowComplex, 2},
                                                              {"complex_float4_e2m1fn", Kind::kNarrowComplex, 2},
                                                              {"r8", Kind::kRaw, 1},
                                                              {"r128", Kind::kRaw, 16},
                                                              {"string", Kind::kString, 0},
                                                              {"bytes", Kind::kBytes, 0},
                                                              {"variable_length_bytes", Kind::kBytes, 0}};
  for (const auto& [name, kind, size] : known) {
    for (const DataType& type : {DataType::FromV3(JsonNode::MakeString(name)),
                                 DataType::FromV3(JsonNode::MakeObject({{"name", JsonNode::MakeString(name)}}))}) {
      EXPECT_EQ(type.kind, kind) << name;
      EXPECT_EQ(type.size, size) << name;
      EXPECT_FALSE(type.endian) << name;
      EXPECT_EQ(type.variable(), size == 0) << name;
    }
  }
}

TEST(DataTypeV3, Parametrised) {
  EXPECT_EQ(TypeOfV3(R"({"name": "fixed_length_utf32", "configuration": {"length_bytes": 20}})"), TypeOfV2("\"<U5\""));
  EXPECT_EQ(TypeOfV3(R"({"name": "null_terminated_bytes", "configuration": {"length_bytes": 3}})"),
            TypeOfV2("\"|S3\""));
  EXPECT_EQ(TypeOfV3(R"({"name": "raw_bytes", "configuration": {"length_bytes": 3}})"), TypeOfV2("\"|V3\""));
  EXPECT_EQ(TypeOfV3(R"({"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 10}})"),
            TypeOfV2("\"<M8[10s]\""));
  EXPECT_EQ(TypeOfV3(R"({"name": "numpy.timedelta64", "configuration": {"unit": "generic"}})"), TypeOfV2("\"<m8\""));
}

TEST(DataTypeV3, Structs) {
  const DataType expected = TypeOfV2(R"([["a", "<i4"], ["b", "|S2"], ["c", [["d", "<f8"]]]])");
  EXPECT_EQ(TypeOfV3(R"({"name": "struct", "configuration": {"fields": [
                {"name": "a", "data_type": "int32"},
                {"name": "b", "data_type": {"name": "null_terminated_bytes", "configuration": {"length_bytes": 2}}},
                {"name": "c", "data_type": {"name": "struct", "configuration": {"fields": [
                   {"name": "d", "data_type": "float64"}]}}}]}})"),
            expected);
  EXPECT_EQ(TypeOfV3(R"({"name": "structured", "configuration": {"fields": [["a", "int32"],
                ["b", {"name": "null_terminated_bytes", "configuration": {"length_bytes": 2}}],
                ["c", {"name": "structured", "configuration": {"fields": [["d", "float64"]]}}]]}})"),
            expected);
}

TEST(DataTypeV3, UnknownNamesAreNoError) {
  for (const char* text :
       {R"("banana")", R"("<i4")", R"({"name": "int5", "configuration": {"x": 1}})", R"("r")", R"("rx8")"}) {
    EXPECT_EQ(TypeOfV3(text).kind, Kind::kUnknown) << text;
  }
  EXPECT_EQ(TypeOfV3(R"({"name": "int5"})").name, "int5");
}

TEST(DataTypeV3, UnknownNamesMayHaveAFallback) {
  EXPECT_EQ(TypeOfV3(R"({"name": "banana", "fallback": "uint16"})"), TypeOfV3("\"uint16\""));
  EXPECT_EQ(TypeOfV3(R"({"name": "banana", "fallback": {"name": "kiwi", "fallback": "int8"}})"), TypeOfV3("\"int8\""));
  EXPECT_EQ(TypeOfV3(R"({"name": "int32", "fallback": "uint16"})"), TypeOfV3("\"int32\""));
  EXPECT_EQ(TypeOfV3(R"({"name": "banana", "fallback": "kiwi"})").kind, Kind::kUnknown);
  ExpectError([] { TypeOfV3(R"({"name": "banana", "fallback": 7})"); }, ErrorKind::kCorrupt, "/fallback",
              "expected a name");
}

TEST(DataTypeV3, RefusesWrongConfigurations) {
  const std::pair<const char*, const char*> wrong[] = {
      {"5", ""},
      {"null", ""},
      {"[]", ""},
      {"{}", ""},
      {R"({"name": 5})", "/name"},
      {R"("r0")", ""},
      {R"("r12")", ""},
      {R"("raw_bytes")", ""},
      {R"({"name": "raw_bytes", "configuration": 3})", "/configuration"},
      {R"({"name": "raw_bytes", "configuration": {"length_bytes": -4}})", "/configuration/length_bytes"},
      {R"({"name": "fixed_length_utf32", "configuration": {"length_bytes": 5}})", "/configuration/length_bytes"},
      {R"({"name": "numpy.datetime64", "configuration": {}})", "/configuration"},
      {R"({"name": "numpy.datetime64", "configuration": {"unit": "x"}})", "/configuration/unit"},
      {R"({"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 0}})",
       "/configuration/scale_factor"},
      {R"({"name": "struct", "configuration": {"fields": []}})", "/configuration/fields"},
      {R"({"name": "struct", "configuration": {"fields": [{"name": "a"}]}})", "/configuration/fields/0"},
      {R"({"name": "struct", "configuration": {"fields": [["a", "int8", 3]]}})", "/configuration/fields/0"},
  };
  for (const auto& [text, pointer] : wrong) {
    ExpectError([&text = text] { TypeOfV3(text); }, ErrorKind::kCorrupt, pointer, "expected");
  }
  ExpectError([] { TypeOfV3(R"({"name": "struct", "configuration": {"fields": [["a", "string"]]}})"); },
              ErrorKind::kUnsupported, "/configuration/fields/0", "type string");
}

TEST(DataTypeV3, ElementsHaveAtMostOneMiB) {
  EXPECT_EQ(TypeOfV3("\"r8388608\"").size, 1u << 20);
  for (const char* text : {"\"r8388616\"", "\"r8589934592\"", "\"r99999999999999999999\""}) {
    ExpectError([&text = text] { TypeOfV3(text); }, ErrorKind::kLimitExceeded, "", "elements of at most 1048576 bytes");
  }
  for (const char* name : {"raw_bytes", "null_terminated_bytes", "fixed_length_utf32"}) {
    const std::string text =
        "{\"name\": \"" + std::string(name) + "\", \"configuration\": {\"length_bytes\": 1048580}}";
    ExpectError([&text = text] { TypeOfV3(text); }, ErrorKind::kLimitExceeded, "/configuration/length_bytes",
                "at most 1048576 bytes");
  }
}

// --- byte order --------------------------------------------------------------------------------------------------

constexpr bool kIsLittle = kNativeEndian == Endian::kLittle;
constexpr Endian kOther = kIsLittle ? Endian::kBig : Endian::kLittle;

TEST(SwapBytes, ReversesNumbers) {
  const Bytes bytes = BytesOf<std::uint8_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  EXPECT_EQ(Stored(TypeOfV3("\"uint16\""), kOther, bytes), "02 01 04 03 06 05 08 07 0a 09 0c 0b 0e 0d 10 0f");
  EXPECT_EQ(Stored(TypeOfV3("\"float32\""), kOther, bytes), "04 03 02 01 08 07 06 05 0c 0b 0a 09 10 0f 0e 0d");
  EXPECT_EQ(Stored(TypeOfV3("\"int64\""), kOther, bytes), "08 07 06 05 04 03 02 01 10 0f 0e 0d 0c 0b 0a 09");
  EXPECT_EQ(Stored(TypeOfV3("\"complex64\""), kOther, bytes), "04 03 02 01 08 07 06 05 0c 0b 0a 09 10 0f 0e 0d");
  EXPECT_EQ(Stored(TypeOfV3("\"complex128\""), kOther, bytes), "08 07 06 05 04 03 02 01 10 0f 0e 0d 0c 0b 0a 09");
  EXPECT_EQ(Stored(TypeOfV2(kIsLittle ? "\"<U2\"" : "\">U2\""), kOther, bytes),
            HexOf(bytes));  // the type names its own order
}

TEST(SwapBytes, LeavesTheRestAsItIs) {
  const Bytes bytes = BytesOf<std::uint8_t>({1, 2, 3, 4});
  for (const char* name : {"\"uint8\"", "\"bool\"", "\"r32\""}) {
    EXPECT_FALSE(NeedsSwap(TypeOfV3(name), kOther));
    EXPECT_EQ(Stored(TypeOfV3(name), kOther, bytes), "01 02 03 04");
  }
  EXPECT_FALSE(NeedsSwap(TypeOfV3("\"int32\""), kNativeEndian));
  EXPECT_EQ(Stored(TypeOfV3("\"int32\""), kNativeEndian, bytes), "01 02 03 04");
}

TEST(SwapBytes, TheOrderOfTheTypeGoesFirst) {
  const Bytes bytes = BytesOf<std::uint8_t>({1, 2});
  EXPECT_EQ(Stored(TypeOfV2(kIsLittle ? "\">i2\"" : "\"<i2\""), kNativeEndian, bytes), "02 01");
  EXPECT_EQ(Stored(TypeOfV2(kIsLittle ? "\"<i2\"" : "\">i2\""), kOther, bytes), "01 02");
}

TEST(SwapBytes, GoesThroughTheFieldsOfStructs) {
  const Bytes bytes = BytesOf<std::uint8_t>({1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19});
  const DataType mixed = TypeOfV2(R"([["a", "|u1"], ["b", ">i2"], ["c", "<i2"], ["d", [["e", ">i2", [2]]]]])");
  EXPECT_EQ(Stored(mixed, Endian::kLittle, bytes), kIsLittle ? "01 03 02 04 05 07 06 09 08 0b 0d 0c 0e 0f 11 10 13 12"
                                                             : "01 02 03 05 04 06 07 08 09 0b 0c 0d 0f 0e 10 11 12 13");
  EXPECT_TRUE(NeedsSwap(mixed, Endian::kLittle));
  const DataType plain =
      TypeOfV3(R"({"name": "struct", "configuration": {"fields": [["a", "uint8"], ["b", "int16"]]}})");
  EXPECT_FALSE(NeedsSwap(plain, kNativeEndian));
  EXPECT_EQ(Stored(plain, kOther, BytesOf<std::uint8_t>({1, 2, 3, 4, 5, 6})), "01 03 02 04 06 05");
}

/// There may be very many elements without a size: no loop may count them.
TEST(SwapBytes, EmptyFieldsTakeNoTime) {
  const DataType type = TypeOfV2(R"([["a", "|u1"], ["b", [["c", ">U0"]], [1099511627776]]])");
  EXPECT_EQ(type.size, 1u);
  EXPECT_EQ(Stored(type, Endian::kLittle, BytesOf<std::uint8_t>({7, 8})), "07 08");
}

}  // namespace
}  // namespace zarr
