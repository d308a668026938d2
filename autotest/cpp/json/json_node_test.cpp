// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_node.h"

#include <cmath>
#include <limits>

#include "autotest/cpp/support/growth.h"
#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

using test::ErrorOf;
using test::ExpectError;
using test::Json;
using test::MeasureGrowth;
using Style = JsonNode::Style;
using Type = JsonNode::Type;

void ExpectCorrupt(std::string_view text) {
  const Error error = ErrorOf([&] { Json(text); });
  EXPECT_EQ(error.kind(), ErrorKind::kCorrupt) << text;
  EXPECT_EQ(error.store(), "store") << text;
  EXPECT_EQ(error.key(), "doc.json") << text;
  EXPECT_NE(error.message().find("invalid JSON: "), std::string::npos) << error.what();
}

// --- parsing -----------------------------------------------------------------------------------------------------

TEST(JsonNode, KnowsTypes) {
  const JsonNode node = Json(R"([null, true, -1, 1, 1.5, "s", [], {}, NaN, 1e2, 18446744073709551615])");
  const Type expected[] = {Type::kNull,  Type::kBoolean, Type::kInteger, Type::kUnsigned, Type::kFloat,   Type::kString,
                           Type::kArray, Type::kObject,  Type::kFloat,   Type::kFloat,    Type::kUnsigned};
  ASSERT_EQ(node.size(), std::size(expected));
  for (std::size_t i = 0; i < node.size(); ++i) EXPECT_EQ(node[i].type(), expected[i]) << i;
}

TEST(JsonNode, RefusesWhatIsNotJson) {
  for (const char* text :
       {"",   " ",  "{",  "[1,]", "{\"a\" 1}", "nul",        "[1] 2",    "{'a': 1}", "\"\\x\"", "\"a\nb\"",
        "+1", "01", "1.", "NaNs", "Inf",       "- Infinity", "{NaN: 1}", "[1",       "\"\\ud8", "\"\x01\""}) {
    ExpectCorrupt(text);
  }
}

TEST(JsonNode, RefusesWhatIsNotUtf8) {
  for (const char* text : {"\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "\"\xc0\xaf\"", "\xff\xfe{\0}\0"}) {
    ExpectCorrupt(text);
  }
}

TEST(JsonNode, CitesWhatIsWrongLegibly) {
  const std::string text = ErrorOf([] { Json("{\"a\xff\n\": 1}"); }).what();
  EXPECT_NE(text.find("last read: '\"a\\xff'"), std::string::npos) << text;
}

/// The cited text may be the whole text.
TEST(JsonNode, CitesNoMoreThanNeeded) {
  const Error error = ErrorOf([] { Json("\"" + std::string(8000000, 'x')); });
  EXPECT_LT(error.message().size(), 1000u);
}

TEST(JsonNode, RefusesNulBytesInside) {
  ExpectCorrupt(std::string_view("{\0}", 3));
}

TEST(JsonNode, ReadsThroughByteOrderMarkAndTrailingNul) {
  EXPECT_EQ(Json(std::string_view("\xEF\xBB\xBF[1]\0\0", 8)).Dump(), "[1]");
}

TEST(JsonNode, ReadsNumbersBeyondDoubleAsInfinities) {
  const JsonNode node = Json("[1e400, -1E+400, -1e-400, 1e308, " + std::string(400, '9') + "]");
  EXPECT_EQ(node[0].AsDouble(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(node[1].AsDouble(), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(node[2].AsDouble(), 0.0);
  EXPECT_EQ(node[3].AsDouble(), 1e308);
  EXPECT_EQ(node[4].AsDouble(), std::numeric_limits<double>::infinity());
  ExpectError([&] { node[0].AsInt64(); }, ErrorKind::kCorrupt, "/0", "expected an integer");
}

TEST(JsonNode, WritesNumbersBeyondDoubleAsTheyWereRead) {
  const std::string text = "[1e400,-1E+400,-" + std::string(400, '9') + "," + std::string(30, '9') + ",-Infinity]";
  EXPECT_EQ(Json(text).Dump(), text);
}

TEST(JsonNode, RefusesMoreValuesThanADocumentMayHave) {
  std::string text = "[";
  for (std::size_t i = 0; i < (4 << 20); ++i) text += "0,";
  ExpectError([&] { JsonNode::Parse(text + "0]", "store", "key"); }, ErrorKind::kLimitExceeded, "",
              "store/key: expected at most 4194304 values of JSON (ZARR_MAX_JSON_VALUES), got more");
}

TEST(JsonNode, RefusesMoreThanABlockOfNulBytes) {
  EXPECT_TRUE(Json("{}" + std::string(65536, '\0')).IsObject());
  ExpectError([] { Json("{}" + std::string(65537, '\0')); }, ErrorKind::kCorrupt, "", "too many NUL bytes");
}

TEST(JsonNode, ReportsDepthWithItsPlace) {
  const Error error = ErrorOf([] { Json(std::string(100000, '[')); });
  EXPECT_EQ(error.kind(), ErrorKind::kCorrupt);
  EXPECT_STREQ(error.what(), "store/doc.json: JSON nested deeper than 200 levels");
}

TEST(JsonNode, ReadsBareNonFiniteTokens) {
  const JsonNode node = Json(R"({"a": [NaN, Infinity, -Infinity], "b": "NaN"})");
  EXPECT_TRUE(std::isnan(node.At("a")[0].AsDouble()));
  EXPECT_EQ(node.At("a")[1].AsDouble(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(node.At("a")[2].AsDouble(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(node.At("a")[0].IsNumber());
  EXPECT_FALSE(node.At("a")[0].IsString());
  EXPECT_EQ(node.At("b").AsString(), "NaN");
}

TEST(JsonNode, KeepsStringsThatLookLikeItsMarks) {
  const JsonNode node = Json(R"({"\u0001zarr:NaN": "\u0001zarr:Infinity"})");
  EXPECT_EQ(node.GetMembers()[0].first, "\xEF\xBF\xBDzarr:NaN");
  EXPECT_EQ(node.GetMembers()[0].second.AsString(), "\xEF\xBF\xBDzarr:Infinity");
}

TEST(JsonNode, AMadeStringIsNoMark) {
  const JsonNode node = JsonNode::MakeString("\x01zarr:NaN");
  EXPECT_EQ(node.AsString(), "\x01zarr:NaN");
  EXPECT_EQ(node.Dump(), R"("\u0001zarr:NaN")");
}

TEST(JsonNode, ReplacesLoneSurrogates) {
  EXPECT_EQ(Json(R"("\ud800")").AsString(), "\xEF\xBF\xBD");
  EXPECT_EQ(Json(R"("\ud83d\ude00")").AsString(), "\xF0\x9F\x98\x80");
}

TEST(JsonNode, OfEqualNamesTheLastCounts) {
  const JsonNode node = Json(R"({"a": 1, "b": 2, "a": {"c": 3}, "d": 4, "b": 5})");
  EXPECT_EQ(node.size(), 4u - 1u);
  EXPECT_EQ(node.At("a").At("c").AsInt64(), 3);
  EXPECT_EQ(node.At("b").AsInt64(), 5);
  EXPECT_EQ(node.Dump(), R"({"a":{"c":3},"b":5,"d":4})");
}

TEST(JsonNode, KeepsTheOrderOfMembers) {
  const auto members = Json(R"({"z": 1, "a": 2, "m": 3})").GetMembers();
  ASSERT_EQ(members.size(), 3u);
  EXPECT_EQ(members[0].first, "z");
  EXPECT_EQ(members[1].first, "a");
  EXPECT_EQ(members[2].first, "m");
}

TEST(JsonNode, TheTimeToReadManyMembersIsInProportion) {
  const double growth = MeasureGrowth(25000, [](std::size_t count) {
    std::string text = "{";
    for (std::size_t i = 0; i < count; ++i)
      text += (i ? ",\"" : "\"") + std::string("member") + std::to_string(i) + "\":0";
    EXPECT_EQ(Json(text + "}").size(), count);
  });
  EXPECT_LT(growth, 32);
}

TEST(JsonNode, TheTimeToWriteManyNonFiniteNumbersIsInProportion) {
  const double growth = MeasureGrowth(40000, [](std::size_t count) {
    std::string text = "[NaN";
    for (std::size_t i = 0; i < count; ++i) text += ",NaN";
    text += "]";
    EXPECT_EQ(Json(text).Dump(), text);
  });
  EXPECT_LT(growth, 32);
}

// --- numbers -----------------------------------------------------------------------------------------------------

TEST(JsonNode, KeepsIntegersOf64Bits) {
  const JsonNode node = Json("[9223372036854775807, -9223372036854775808, 18446744073709551615, 9007199254740993]");
  EXPECT_EQ(node[0].AsInt64(), INT64_MAX);
  EXPECT_EQ(node[1].AsInt64(), INT64_MIN);
  EXPECT_EQ(node[2].AsUint64(), UINT64_MAX);
  EXPECT_EQ(node[3].AsInt64(), 9007199254740993);
  EXPECT_EQ(node.Dump(), "[9223372036854775807,-9223372036854775808,18446744073709551615,9007199254740993]");
}

TEST(JsonNode, WritesLongerIntegersAsTheyWereRead) {
  const std::string text = R"({"id":123456789012345678901234567890,"list":[-18446744073709551616,1]})";
  const JsonNode node = Json(text);
  EXPECT_EQ(node.Dump(), text);
  EXPECT_EQ(node.At("id").type(), JsonNode::Type::kFloat);
  EXPECT_EQ(node.At("id").AsDouble(), 123456789012345678901234567890.0);
  EXPECT_EQ(node, Json(text));
  EXPECT_NE(node.At("id"), Json("123456789012345678901234567891"));
  EXPECT_EQ(node.At("id"), Json("123456789012345678901234567890.0"));
}

TEST(JsonNode, RefusesIntegersThatDoNotFit) {
  const JsonNode node = Json("[18446744073709551615, -1, 18446744073709551616, 1.0, 1e3]");
  ExpectError([&] { node[0].AsInt64(); }, ErrorKind::kCorrupt, "/0", "an integer of 64 bits, got 18446744073709551615");
  ExpectError([&] { node[1].AsUint64(); }, ErrorKind::kCorrupt, "/1", "a non-negative integer, got -1");
  ExpectError([&] { node[2].AsUint64(); }, ErrorKind::kCorrupt, "/2", "a non-negative integer");
  ExpectError([&] { node[2].AsInt64(); }, ErrorKind::kCorrupt, "/2", "an integer");
  ExpectError([&] { node[3].AsInt64(); }, ErrorKind::kCorrupt, "/3", "an integer, got 1.0");
  ExpectError([&] { node[4].AsUint64(); }, ErrorKind::kCorrupt, "/4", "a non-negative integer");
}

TEST(JsonNode, ChecksIntegersAgainstARange) {
  const JsonNode node = Json("[0, 9, 10, -1, 18446744073709551615, 5.0, \"5\", true]");
  EXPECT_EQ(node[0].AsIntegerIn(0, 9), 0);
  EXPECT_EQ(node[1].AsIntegerIn(0, 9), 9);
  for (std::size_t i = 2; i < node.size(); ++i) {
    ExpectError([&] { node[i].AsIntegerIn(0, 9); }, ErrorKind::kCorrupt, "/" + std::to_string(i),
                "expected an integer 0..9, got " + node[i].Dump());
  }
}

TEST(JsonNode, ReadsAnyNumberAsDouble) {
  EXPECT_EQ(Json("18446744073709551615").AsDouble(), 0x1p64);
  EXPECT_EQ(Json("-3").AsDouble(), -3.0);
  EXPECT_EQ(Json("5e-324").AsDouble(), 5e-324);
}

// --- places and errors -------------------------------------------------------------------------------------------

TEST(JsonNode, EveryAccessorSaysWhatItExpectedWhere) {
  const JsonNode node = Json(R"({"a": [1, "x"]})");
  const JsonNode one = node.At("a")[0];
  const JsonNode text = node.At("a")[1];
  ExpectError([&] { one.AsString(); }, ErrorKind::kCorrupt, "/a/0", "store/doc.json: /a/0: expected a string, got 1");
  ExpectError([&] { one.AsBoolean(); }, ErrorKind::kCorrupt, "/a/0", "expected true or false, got 1");
  ExpectError([&] { text.AsInt64(); }, ErrorKind::kCorrupt, "/a/1", "expected an integer, got \"x\"");
  ExpectError([&] { text.AsUint64(); }, ErrorKind::kCorrupt, "/a/1", "expected a non-negative integer, got \"x\"");
  ExpectError([&] { text.AsDouble(); }, ErrorKind::kCorrupt, "/a/1", "expected a number, got \"x\"");
  ExpectError([&] { text.size(); }, ErrorKind::kCorrupt, "/a/1", "expected an array or an object");
  ExpectError([&] { text.GetItems(); }, ErrorKind::kCorrupt, "/a/1", "expected an array");
  ExpectError([&] { text.GetMembers(); }, ErrorKind::kCorrupt, "/a/1", "expected an object");
  ExpectError([&] { text.Find("b"); }, ErrorKind::kCorrupt, "/a/1", "expected an object");
  ExpectError([&] { node[0]; }, ErrorKind::kCorrupt, "", "expected an array");
  ExpectError([&] { node.At("a")[2]; }, ErrorKind::kCorrupt, "/a", "expected at least 3 items");
  ExpectError([&] { node.At("b"); }, ErrorKind::kCorrupt, "", "expected a member \"b\", got none");
}

TEST(JsonNode, EscapesPointers) {
  const JsonNode node = Json(R"({"a/b~c": {"": [[7]]}})");
  const JsonNode seven = node.At("a/b~c").At("")[0][0];
  EXPECT_EQ(seven.pointer(), "/a~1b~0c//0/0");
  EXPECT_EQ(node.GetMembers()[0].second.GetMembers()[0].second.GetItems()[0].pointer(), "/a~1b~0c//0");
  EXPECT_EQ(EscapePointerStep("~1/"), "~01~1");
}

TEST(JsonNode, FindsMembers) {
  const JsonNode node = Json(R"({"a": null})");
  EXPECT_TRUE(node.Has("a"));
  EXPECT_TRUE(node.Find("a")->IsNull());
  EXPECT_FALSE(node.Has("b"));
  EXPECT_FALSE(node.Find("b"));
}

TEST(JsonNode, OutlivesTheNodesItCameFrom) {
  JsonNode inner;
  {
    const JsonNode outer = Json(R"({"a": ["kept"]})");
    inner = outer.At("a")[0];
  }
  EXPECT_EQ(inner.AsString(), "kept");
  EXPECT_EQ(inner.key(), "doc.json");
}

TEST(JsonNode, DefaultIsNullWithoutAPlace) {
  const JsonNode node;
  EXPECT_TRUE(node.IsNull());
  EXPECT_STREQ(ErrorOf([&] { node.AsInt64(); }).what(), "expected an integer, got null");
}

TEST(JsonNode, NewValuesStandWhereTheyAreSaidTo) {
  const JsonNode place = Json(R"({"x": [0]})").At("x")[0];
  const JsonNode made = JsonNode::MakeObject({{"y", JsonNode::MakeArray({JsonNode::MakeString("s")})}}, place);
  ExpectError([&] { made.At("y")[0].AsInt64(); }, ErrorKind::kCorrupt, "/x/0/y/0", "store/doc.json: /x/0/y/0: ");
}

TEST(JsonNode, ExcerptsAreShort) {
  EXPECT_EQ(Json("[1, 2]").GetExcerpt(), "[1,2]");
  const std::string long_text = Json("\"" + std::string(1000, 'x') + "\"").GetExcerpt();
  EXPECT_LE(long_text.size(), 60u);
  EXPECT_TRUE(long_text.ends_with("..."));
  std::string many = "[0";
  for (int i = 0; i < 1000; ++i) many += ",0";
  EXPECT_EQ(Json(many + "]").GetExcerpt(), "an array of 1001");
}

// --- writing -----------------------------------------------------------------------------------------------------

TEST(JsonNode, WritesV2AsPythonDoes) {
  EXPECT_EQ(Json(R"({"b": [1, 2], "a": {"d": null, "c": NaN}})").Dump(Style::kV2), R"({
    "a": {
        "c": NaN,
        "d": null
    },
    "b": [
        1,
        2
    ]
})");
}

TEST(JsonNode, WritesV3InItsOrder) {
  EXPECT_EQ(Json(R"({"b": [1], "a": true})").Dump(Style::kV3), R"({
  "b": [
    1
  ],
  "a": true
})");
}

TEST(JsonNode, EscapesWhatIsNotAscii) {
  EXPECT_EQ(Json("\"\xC3\xA9\xF0\x9F\x98\x80\"").Dump(), R"("\u00e9\ud83d\ude00")");
}

TEST(JsonNode, ReadsBackWhatItWroteInEveryStyle) {
  const JsonNode node = Json(
      R"({"i": [0, -1, 18446744073709551615], "f": [0.1, -0.0, 1e300, 5e-324, NaN, -Infinity, Infinity],
          "s": ["", "NaN", "\"\u0001zarr:NaN\"", "\\", "\u00e9\ud83d\ude00\u0000"], "o": {"x": {}, "y": []}})");
  for (const Style style : {Style::kV2, Style::kV3, Style::kCompact}) {
    const std::string text = node.Dump(style);
    const JsonNode again = Json(text);
    EXPECT_EQ(again.Dump(style), text);
    EXPECT_EQ(again.At("s").Dump(), node.At("s").Dump());
    EXPECT_EQ(again.At("f").Dump(), node.At("f").Dump());
    EXPECT_TRUE(std::signbit(again.At("f")[1].AsDouble()));
  }
}

TEST(JsonNode, MakesEveryKindOfValue) {
  const double infinity = std::numeric_limits<double>::infinity();
  const JsonNode node = JsonNode::MakeObject(
      {{"s", JsonNode::MakeString("x")},
       {"i", JsonNode::MakeInteger(-5)},
       {"u", JsonNode::MakeUnsigned(UINT64_MAX)},
       {"f", JsonNode::MakeArray({JsonNode::MakeFloat(0.5), JsonNode::MakeFloat(-infinity), JsonNode::MakeFloat(NAN)})},
       {"b", JsonNode::MakeBoolean(true)},
       {"n", JsonNode()},
       {"b", JsonNode::MakeBoolean(false)}});
  EXPECT_EQ(node.Dump(), R"({"s":"x","i":-5,"u":18446744073709551615,"f":[0.5,-Infinity,NaN],"b":false,"n":null})");
  EXPECT_TRUE(node.At("i").IsInteger());
  EXPECT_EQ(node.At("i").AsInt64(), -5);
}

TEST(JsonNode, ComparesByValue) {
  EXPECT_EQ(Json("[1, {\"a\": 2}]"), Json("[1,{\"a\":2}]"));
  EXPECT_EQ(Json("1"), JsonNode::MakeInteger(1));
  EXPECT_FALSE(Json("1") == Json("2"));
  EXPECT_FALSE(Json("1") == Json("\"1\""));
}

}  // namespace
}  // namespace zarr
