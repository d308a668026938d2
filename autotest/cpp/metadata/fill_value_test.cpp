// SPDX-License-Identifier: MIT
#include "zarrlib/metadata/fill_value.h"

#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

using test::BytesOf;
using test::ExpectError;
using test::Json;
using test::LittleEndianHex;

using Reader = FillValue (*)(const JsonNode&, const DataType&, std::vector<std::string>*);

/// A v3 type by name or by JSON text.
DataType Type(std::string_view text) {
  return DataType::FromV3(text.starts_with('{') ? Json(text) : JsonNode::MakeString(text));
}

DataType TypeV2(std::string_view text) {
  return DataType::FromV2(text.starts_with('[') ? Json(text) : JsonNode::MakeString(text));
}

std::string Hex(Reader read, std::string_view json, const DataType& type) {
  const FillValue fill = read(Json(json), type, nullptr);
  EXPECT_TRUE(fill.defined) << json;
  EXPECT_EQ(fill.bytes.size(), type.size) << json;
  return LittleEndianHex(fill.bytes, type);
}
std::string FillOfV3(std::string_view json, std::string_view type) {
  return Hex(ParseFillValueV3, json, Type(type));
}
std::string FillOfV2(std::string_view json, std::string_view type) {
  return Hex(ParseFillValueV2, json, TypeV2(type));
}
std::string FillOfV1(std::string_view json, std::string_view type) {
  return Hex(ParseFillValueV1, json, TypeV2(type));
}

void RefusesV3(std::string_view json, std::string_view type, std::string_view pointer = "") {
  SCOPED_TRACE(std::string(json) + " of " + std::string(type));
  ExpectError([&] { ParseFillValueV3(Json(json), Type(type)); }, ErrorKind::kCorrupt, pointer, "expected");
}
void RefusesV2(std::string_view json, std::string_view type, std::string_view pointer = "") {
  SCOPED_TRACE(std::string(json) + " of " + std::string(type));
  ExpectError([&] { ParseFillValueV2(Json(json), TypeV2(type)); }, ErrorKind::kCorrupt, pointer, "expected");
}

// --- v3 ----------------------------------------------------------------------------------------------------------

TEST(FillValueV3, Integers) {
  EXPECT_EQ(FillOfV3("-1", "int8"), "ff");
  EXPECT_EQ(FillOfV3("-128", "int8"), "80");
  EXPECT_EQ(FillOfV3("258", "uint16"), "02 01");
  EXPECT_EQ(FillOfV3("-2147483648", "int32"), "00 00 00 80");
  EXPECT_EQ(FillOfV3("9223372036854775807", "int64"), "ff ff ff ff ff ff ff 7f");
  EXPECT_EQ(FillOfV3("-9223372036854775808", "int64"), "00 00 00 00 00 00 00 80");
  EXPECT_EQ(FillOfV3("18446744073709551615", "uint64"), "ff ff ff ff ff ff ff ff");
  EXPECT_EQ(FillOfV3("9007199254740993", "int64"), "01 00 00 00 00 00 20 00");
}

TEST(FillValueV3, IntegersOutOfRange) {
  RefusesV3("300", "int8");
  RefusesV3("-129", "int8");
  RefusesV3("-1", "uint8");
  RefusesV3("65536", "uint16");
  RefusesV3("4294967296", "uint32");
  RefusesV3("9223372036854775808", "int64");
  RefusesV3("-1", "uint64");
  RefusesV3("18446744073709551616", "uint64");
}

TEST(FillValue, IntegersOf64BitsMayBeText) {
  EXPECT_EQ(FillOfV3("\"9223372036854775807\"", "int64"), "ff ff ff ff ff ff ff 7f");
  EXPECT_EQ(FillOfV2("\"-9223372036854775808\"", "<i8"), "00 00 00 00 00 00 00 80");
  EXPECT_EQ(FillOfV2("\"18446744073709551615\"", "<u8"), "ff ff ff ff ff ff ff ff");
  RefusesV2("\"18446744073709551616\"", "<u8");
  RefusesV2("\"-1\"", "<u8");
  RefusesV2("\"7 \"", "<i8");
  RefusesV2("\"\"", "<i8");
  EXPECT_EQ(FillOfV2("\"7\"", "<i4"), "07 00 00 00");  // GDAL wrote all numbers of v2 so at first
  RefusesV3("\"7\"", "int32");
}

TEST(FillValueV3, IntegersOfOtherKinds) {
  EXPECT_EQ(FillOfV3("3.0", "int8"), "03");  // tolerated
  RefusesV3("1.5", "int32");
  RefusesV3("1e30", "int64");
  RefusesV3("NaN", "int32");
  RefusesV3("\"NaN\"", "int32");
  RefusesV3("\"7\"", "int32");
  RefusesV3("[7]", "int32");
  RefusesV3("true", "uint8");
  RefusesV3("{}", "int32");
}

TEST(FillValueV3, Floats) {
  EXPECT_EQ(FillOfV3("1", "float32"), "00 00 80 3f");
  EXPECT_EQ(FillOfV3("-0.0", "float64"), "00 00 00 00 00 00 00 80");
  EXPECT_EQ(FillOfV3("0.1", "float32"), "cd cc cc 3d");
  EXPECT_EQ(FillOfV3("1.5", "float16"), "00 3e");
  EXPECT_EQ(FillOfV3("3.140625", "bfloat16"), "49 40");
  EXPECT_EQ(FillOfV3("5e-324", "float64"), "01 00 00 00 00 00 00 00");
}

TEST(FillValueV3, NarrowComplexNumbers) {
  EXPECT_EQ(FillOfV3("[3.140625, -1]", "complex_bfloat16"), "49 40 80 bf");
  EXPECT_EQ(FillOfV3(R"(["NaN", "0x7f81"])", "complex_bfloat16"), "c0 7f 81 7f");
  EXPECT_EQ(FillOfV3("[448.0, 0]", "complex_float8_e4m3fn"), "7e 00");
  ExpectError([] { FillOfV3("[0, 1e39]", "complex_bfloat16"); }, ErrorKind::kCorrupt, "/1", "16 bits");
}

TEST(FillValueV3, FloatsOutOfRange) {
  RefusesV3("1e39", "float32");
  RefusesV3("-65520", "float16");
  RefusesV3("1e39", "bfloat16");
  EXPECT_EQ(FillOfV3("3.4028235e38", "float32"), "ff ff 7f 7f");
  ExpectError([] { FillOfV3("[0, 1e39]", "complex64"); }, ErrorKind::kCorrupt, "/1", "32 bits");
}

TEST(FillValueV3, NonFiniteFloats) {
  EXPECT_EQ(FillOfV3("\"NaN\"", "float32"), "00 00 c0 7f");
  EXPECT_EQ(FillOfV3("\"NaN\"", "float64"), "00 00 00 00 00 00 f8 7f");
  EXPECT_EQ(FillOfV3("\"NaN\"", "float16"), "00 7e");
  EXPECT_EQ(FillOfV3("\"NaN\"", "bfloat16"), "c0 7f");
  EXPECT_EQ(FillOfV3("\"Infinity\"", "float32"), "00 00 80 7f");
  EXPECT_EQ(FillOfV3("\"+Infinity\"", "float16"), "00 7c");
  EXPECT_EQ(FillOfV3("\"-Infinity\"", "float64"), "00 00 00 00 00 00 f0 ff");
  EXPECT_EQ(FillOfV3("NaN", "float64"), "00 00 00 00 00 00 f8 7f");  // a bare token: tolerated
}

TEST(FillValueV3, HexIsTheBitPatternAsANumber) {
  EXPECT_EQ(FillOfV3("\"0x7fc00001\"", "float32"), "01 00 c0 7f");
  EXPECT_EQ(FillOfV3("\"0xFFF8000000000001\"", "float64"), "01 00 00 00 00 00 f8 ff");
  EXPECT_EQ(FillOfV3("\"0x7e01\"", "float16"), "01 7e");
  EXPECT_EQ(FillOfV3("\"0x7fc1\"", "bfloat16"), "c1 7f");
}

TEST(FillValueV3, BinaryDigitsAreTheBitPattern) {
  EXPECT_EQ(FillOfV3("\"0b111111110000000000000000000000\"", "float32"), "00 00 c0 3f");
  EXPECT_EQ(FillOfV3("\"0b11111111111000000000000000000000000000000000000000000000000000\"", "float64"),
            "00 00 00 00 00 00 f8 3f");
  EXPECT_EQ(FillOfV3("\"0b0011111000000000\"", "float16"), "00 3e");
  EXPECT_EQ(FillOfV3("[\"0b0\", 0]", "complex64"), "00 00 00 00 00 00 00 00");
  RefusesV3("\"0b00111110000000000\"", "float16");
  RefusesV3("\"0b\"", "float32");
  RefusesV3("\"0b102\"", "float32");
  RefusesV3("\"0b-1\"", "float32");
}

TEST(FillValueV3, HexMustHaveTheWidthOfTheType) {
  RefusesV3("\"0x7fc0\"", "float32");
  RefusesV3("\"0x7fc00001\"", "float16");
  RefusesV3("\"0x7fc00001\"", "float64");
  RefusesV3("\"0x7fc0000g\"", "float32");
  RefusesV3("\"0x-fc00001\"", "float32");
  RefusesV3("\"7fc00001\"", "float32");
  RefusesV3("\"0x\"", "float32");
}

TEST(FillValueV3, FloatsOfOtherKinds) {
  for (const char* json : {"\"nan\"", "\"\"", "\"1.5\"", "true", "[1.0]", "{}"}) RefusesV3(json, "float32");
}

TEST(FillValueV3, Booleans) {
  EXPECT_EQ(FillOfV3("true", "bool"), "01");
  EXPECT_EQ(FillOfV3("false", "bool"), "00");
  EXPECT_EQ(FillOfV3("1", "bool"), "01");  // tolerated
  RefusesV3("2", "bool");
  RefusesV3("\"true\"", "bool");
}

TEST(FillValueV3, ComplexPairs) {
  EXPECT_EQ(FillOfV3("[1, -2.0]", "complex64"), "00 00 80 3f 00 00 00 c0");
  EXPECT_EQ(FillOfV3("[\"NaN\", \"0x7fc00001\"]", "complex64"), "00 00 c0 7f 01 00 c0 7f");
  EXPECT_EQ(FillOfV3("[\"-Infinity\", 0]", "complex128"), "00 00 00 00 00 00 f0 ff 00 00 00 00 00 00 00 00");
  EXPECT_EQ(FillOfV3("[1, 2]", "complex_float16"), "00 3c 00 40");
  EXPECT_EQ(FillOfV3("1.0", "complex64"), "00 00 80 3f 00 00 00 00");  // only the real part: tolerated
  RefusesV3("[1, 2, 3]", "complex64");
  RefusesV3("[1]", "complex64");
  RefusesV3("[1, \"x\"]", "complex64", "/1");
}

TEST(FillValueV3, RawBytes) {
  EXPECT_EQ(FillOfV3("[1, 255, 0]", "r24"), "01 ff 00");
  EXPECT_EQ(FillOfV3("\"Af8A\"", "r24"), "01 ff 00");
  RefusesV3("[1, 256, 0]", "r24", "/1");
  RefusesV3("[1, 2]", "r24");
  RefusesV3("[1, 2, 3, 4]", "r24");
  RefusesV3("\"Af8\"", "r24");
  RefusesV3("\"!!!!\"", "r24");
  RefusesV3("7", "r24");
}

TEST(FillValueV3, FixedBytesArePadded) {
  const char* type = R"({"name": "null_terminated_bytes", "configuration": {"length_bytes": 4}})";
  EXPECT_EQ(FillOfV3("\"YWI=\"", type), "61 62 00 00");
  EXPECT_EQ(FillOfV3("\"\"", type), "00 00 00 00");
  RefusesV3("\"YWJjZGU=\"", type);
}

TEST(FillValueV3, FixedTextIsUtf32) {
  const char* type = R"({"name": "fixed_length_utf32", "configuration": {"length_bytes": 16}})";
  EXPECT_EQ(FillOfV3(R"("a\u00e9\u20ac\ud83d\ude00")", type), "61 00 00 00 e9 00 00 00 ac 20 00 00 00 f6 01 00");
  EXPECT_EQ(FillOfV3("\"\"", type), "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
  RefusesV3("\"abcde\"", type);
  RefusesV3("5", type);
}

TEST(FillValueV3, Times) {
  const char* type = R"({"name": "numpy.datetime64", "configuration": {"unit": "s"}})";
  EXPECT_EQ(FillOfV3("\"NaT\"", type), "00 00 00 00 00 00 00 80");
  EXPECT_EQ(FillOfV3("-1", type), "ff ff ff ff ff ff ff ff");
  RefusesV3("\"NaN\"", type);
  RefusesV3("1.5", type);
}

TEST(FillValueV3, Structs) {
  const char* type = R"({"name": "struct", "configuration": {"fields": [["a", "int16"], ["b", "float32"],
      ["c", {"name": "struct", "configuration": {"fields": [["d", "uint8"]]}}]]}})";
  EXPECT_EQ(FillOfV3(R"({"a": 258, "b": "NaN", "c": {"d": 9}})", type), "02 01 00 00 c0 7f 09");
  EXPECT_EQ(FillOfV3("\"AgEAAMB/CQ==\"", type), "02 01 00 00 c0 7f 09");
  RefusesV3(R"({"a": 258, "b": 1})", type);
  RefusesV3(R"({"a": 258, "b": 1, "c": {}})", type, "/c");
  RefusesV3(R"({"a": 258, "b": 1, "c": {"d": 256}})", type, "/c/d");
  RefusesV3("\"AgEAAMB/\"", type);
  RefusesV3("[258, 1, 9]", type);
  RefusesV3("0", type);
}

TEST(FillValueV3, TypesOfVariableLength) {
  const FillValue text = ParseFillValueV3(Json(R"("a\u00e9")"), Type("string"));
  EXPECT_EQ(AsText(text.bytes), "a\xC3\xA9");
  EXPECT_TRUE(text.defined);
  EXPECT_EQ(AsText(ParseFillValueV3(Json("\"YWI=\""), Type("bytes")).bytes), "ab");
  EXPECT_EQ(AsText(ParseFillValueV3(Json("[97, 98]"), Type("bytes")).bytes), "ab");
  RefusesV3("0", "string");
  RefusesV3("\"!\"", "bytes");
}

TEST(FillValueV3, NullIsUndefined) {
  for (const char* type : {"int32", "complex128", "string", "r16"}) {
    const FillValue fill = ParseFillValueV3(Json("null"), Type(type));
    EXPECT_FALSE(fill.defined) << type;
    EXPECT_EQ(fill.bytes, Bytes(Type(type).size, std::byte{0})) << type;
  }
}

TEST(FillValueV3, AnythingIsTakenForUnknownTypes) {
  EXPECT_FALSE(ParseFillValueV3(Json("{\"x\": []}"), Type("banana")).defined);
}

// --- v2 ----------------------------------------------------------------------------------------------------------

TEST(FillValueV2, NumberForObjectsIsItsText) {
  DataType type = Type("string");
  EXPECT_EQ(AsText(ParseFillValueV2(Json("0"), type).bytes), "0");
  EXPECT_EQ(AsText(ParseFillValueV2(Json("\"\""), type).bytes), "");
}

TEST(FillValueV3, NarrowTypes) {
  EXPECT_EQ(std::to_integer<int>(ParseFillValueV3(Json("-8"), Type("int4")).bytes[0]), 0xF8);
  EXPECT_EQ(std::to_integer<int>(ParseFillValueV3(Json("15"), Type("uint4")).bytes[0]), 15);
  EXPECT_EQ(std::to_integer<int>(ParseFillValueV3(Json("448.0"), Type("float8_e4m3fn")).bytes[0]), 0x7E);
  EXPECT_EQ(std::to_integer<int>(ParseFillValueV3(Json("\"0x7f\""), Type("float8_e4m3fn")).bytes[0]), 0x7F);
  RefusesV3("8", "int4");
  RefusesV3("-1", "uint2");
}

TEST(FillValueV2, Numbers) {
  EXPECT_EQ(FillOfV2("42", "<i4"), "2a 00 00 00");
  EXPECT_EQ(FillOfV2("42", ">i4"), "2a 00 00 00");  // in memory: native order
  EXPECT_EQ(FillOfV2("0.0", "<i4"), "00 00 00 00");
  EXPECT_EQ(FillOfV2("\"NaN\"", "<f4"), "00 00 c0 7f");
  EXPECT_EQ(FillOfV2("NaN", "<f4"), "00 00 c0 7f");
  EXPECT_EQ(FillOfV2("-Infinity", "<f8"), "00 00 00 00 00 00 f0 ff");
  EXPECT_EQ(FillOfV2("false", "|b1"), "00");
  EXPECT_EQ(FillOfV2("[1.0, \"NaN\"]", "<c8"), "00 00 80 3f 00 00 c0 7f");
  EXPECT_EQ(FillOfV2("18446744073709551615", "<u8"), "ff ff ff ff ff ff ff ff");
}

TEST(FillValueV2, NumbersInAListOfOne) {
  EXPECT_EQ(FillOfV2("[-127]", "|i1"), "81");
  EXPECT_EQ(FillOfV2("[1.5]", "<f2"), "00 3e");
  RefusesV2("[1, 2]", "|i1");
  RefusesV2("[]", "|i1");
  RefusesV2("[\"x\"]", "|i1", "/0");
}

TEST(FillValueV2, NumbersAsText) {
  EXPECT_EQ(FillOfV2("\"255\"", "|u1"), "ff");
  EXPECT_EQ(FillOfV2("\"-1.5\"", "<f4"), "00 00 c0 bf");
  EXPECT_EQ(FillOfV2("\"nan\"", "<f4"), "00 00 c0 7f");
  RefusesV2("\"256\"", "|u1");
  RefusesV2("\"1.5\"", "<i4");
  RefusesV2("\"NaN\"", "<i4");
  RefusesV2("\"abc\"", "<i4");
  RefusesV2("\"1 \"", "<i4");
  RefusesV2("\"\"", "<f4");
}

TEST(FillValueV2, NumbersThatDoNotFit) {
  RefusesV2("1e30", "<i4");
  RefusesV2("1.5", "<i4");
  RefusesV2("{}", "<i4");
  RefusesV2("256", "|u1");
}

TEST(FillValueV2, BytesAreBase64) {
  EXPECT_EQ(FillOfV2("\"YWI=\"", "|S4"), "61 62 00 00");
  EXPECT_EQ(FillOfV2("\"\"", "|S4"), "00 00 00 00");
  EXPECT_EQ(FillOfV2("\"AQID\"", "|V3"), "01 02 03");
  EXPECT_EQ(FillOfV2("0", "|S4"), "00 00 00 00");
  EXPECT_EQ(FillOfV2("\"\"", "|S0"), "");
  RefusesV2("\"!!!\"", "|S4");
  RefusesV2("\"YWJjZGU=\"", "|S4");
  RefusesV2("\"AQI=\"", "|V3");
  RefusesV2("7", "|S4");
}

TEST(FillValueV2, TextIsText) {
  EXPECT_EQ(FillOfV2("\"ab\"", "<U2"), "61 00 00 00 62 00 00 00");
  EXPECT_EQ(FillOfV2("0", "<U2"), "00 00 00 00 00 00 00 00");
}

TEST(FillValueV2, StructsAreStoredBytesInBase64) {
  EXPECT_EQ(FillOfV2("\"AQIDBA==\"", R"([["a", ">i2"], ["b", "<i2"]])"), "02 01 03 04");
  EXPECT_EQ(FillOfV2("0", R"([["a", ">i2"]])"), "00 00");
  EXPECT_EQ(FillOfV2("{\"a\": [[1, 2], [3, 4]]}", R"([["a", "|u1", [2, 2]]])"), "01 02 03 04");
  RefusesV2("{\"a\": [[1, 2], [3]]}", R"([["a", "|u1", [2, 2]]])", "/a/1");
  RefusesV2("\"AQID\"", R"([["a", ">i2"], ["b", "<i2"]])");
}

TEST(FillValueV2, Times) {
  EXPECT_EQ(FillOfV2("\"NaT\"", "<M8[ns]"), "00 00 00 00 00 00 00 80");
  EXPECT_EQ(FillOfV2("0", "<M8[ns]"), "00 00 00 00 00 00 00 00");
}

TEST(FillValueV2, TypesOfVariableLength) {
  const DataType type = Type("string");
  EXPECT_FALSE(ParseFillValueV2(Json("null"), type).defined);
  EXPECT_TRUE(ParseFillValueV2(Json("0"), Type("bytes")).defined);
  EXPECT_TRUE(ParseFillValueV2(Json("0"), Type("bytes")).bytes.empty());
  EXPECT_EQ(AsText(ParseFillValueV2(Json("\"x\""), type).bytes), "x");
  EXPECT_EQ(AsText(ParseFillValueV2(Json("\"YWI=\""), Type("bytes")).bytes), "ab");
}

// --- v1 ----------------------------------------------------------------------------------------------------------

TEST(FillValueV1, IsRawJson) {
  EXPECT_EQ(FillOfV1("42", "<i4"), "2a 00 00 00");
  EXPECT_EQ(FillOfV1("NaN", "<f4"), "00 00 c0 7f");
  EXPECT_EQ(FillOfV1("Infinity", "<f2"), "00 7c");
  EXPECT_EQ(FillOfV1("false", "|b1"), "00");
  EXPECT_FALSE(ParseFillValueV1(Json("null"), TypeV2("<f8")).defined);
}

TEST(FillValueV1, BytesArePlainText) {
  EXPECT_EQ(FillOfV1("\"YWI=\"", "|S4"), "59 57 49 3d");
  EXPECT_EQ(FillOfV1("\"ab\"", "|S4"), "61 62 00 00");
  ExpectError([] { ParseFillValueV1(Json("\"abcde\""), TypeV2("|S4")); }, ErrorKind::kCorrupt, "", "at most 4 bytes");
}

// --- the value ---------------------------------------------------------------------------------------------------

TEST(FillValue, ComparesElementsByteForByte) {
  const FillValue fill = ParseFillValueV3(Json("258"), Type("uint16"));
  EXPECT_TRUE(fill.EqualsAll(BytesOf<std::uint16_t>({258, 258, 258})));
  EXPECT_TRUE(fill.EqualsAll(BytesOf<std::uint16_t>({258})));
  EXPECT_TRUE(fill.EqualsAll({}));
  EXPECT_FALSE(fill.EqualsAll(BytesOf<std::uint16_t>({258, 258, 514})));
  EXPECT_FALSE(fill.EqualsAll(BytesOf<std::uint16_t>({513, 258})));
  EXPECT_FALSE(fill.EqualsAll(BytesOf<std::uint8_t>({2})));
}

TEST(FillValue, NegativeZeroIsNotZero) {
  EXPECT_FALSE(ParseFillValueV3(Json("0.0"), Type("float64")).EqualsAll(BytesOf({0.0, -0.0})));
}

TEST(FillValue, NanEqualsItselfButNotOtherNans) {
  const FillValue fill = ParseFillValueV3(Json("\"NaN\""), Type("float32"));
  EXPECT_TRUE(fill.EqualsAll(BytesOf<std::uint32_t>({0x7FC00000, 0x7FC00000})));
  EXPECT_FALSE(fill.EqualsAll(BytesOf<std::uint32_t>({0x7FC00000, 0x7FC00001})));
}

TEST(FillValue, ZeroFillIsUndefined) {
  const FillValue fill = MakeZeroFill(Type("complex64"));
  EXPECT_FALSE(fill.defined);
  EXPECT_EQ(test::HexOf(fill.bytes), "00 00 00 00 00 00 00 00");
}

}  // namespace
}  // namespace zarr
