// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_cursor.h"

#include "autotest/cpp/support/test_util.h"
#include "zarrlib/json/json_scan.h"

namespace zarr {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// The members of the object in a text, with their texts; "!" comes last if it is no object.
Pairs MembersOf(std::string_view text) {
  JsonCursor cursor(text);
  Pairs members;
  std::string_view name;
  cursor.EnterObject();
  while (cursor.ReadNextMember(&name)) {
    const std::string_view value = cursor.TakeValue();
    if (cursor.ok()) members.emplace_back(std::string(name), std::string(value));
  }
  if (!cursor.IsAtEnd()) members.emplace_back("!", "");
  return members;
}

TEST(JsonCursor, FindsMembers) {
  EXPECT_EQ(MembersOf("{}"), Pairs());
  EXPECT_EQ(MembersOf(R"( { "a" : 1 , "b":"x","c":[1,{"d":2}],"e":{"f":[]}, "g":null } )"),
            (Pairs{{"a", "1"}, {"b", "\"x\""}, {"c", R"([1,{"d":2}])"}, {"e", R"({"f":[]})"}, {"g", "null"}}));
}

TEST(JsonCursor, StringsMayHoldAnything) {
  EXPECT_EQ(MembersOf(R"({"a\"b": "}]\\", "c": ["\\\"", "]"], "d": "{[\""})"),
            (Pairs{{R"(a\"b)", R"("}]\\")"}, {"c", R"(["\\\"", "]"])"}, {"d", R"("{[\"")"}}));
}

TEST(JsonCursor, TakesBareTokensByteOrderMarksAndNuls) {
  EXPECT_EQ(MembersOf(std::string_view("\xEF\xBB\xBF{\"a\": NaN, \"b\": -Infinity}\0\0", 32)),
            (Pairs{{"a", "NaN"}, {"b", "-Infinity"}}));
}

TEST(JsonCursor, StepsIntoWhatIsWanted) {
  JsonCursor cursor(R"({"x": [1], "y": {"z": {"deep": 5}, "w": 2}, "v": 3})");
  std::string seen;
  std::string_view name;
  cursor.EnterObject();
  while (cursor.ReadNextMember(&name)) {
    seen += name;
    if (cursor.IsNextObject()) {
      cursor.EnterObject();
      while (cursor.ReadNextMember(&name)) {
        seen += "(" + std::string(name) + ")" + std::string(cursor.TakeValue());
      }
    } else {
      seen += cursor.TakeValue();
    }
  }
  EXPECT_TRUE(cursor.IsAtEnd());
  EXPECT_EQ(seen, R"(x[1]y(z){"deep": 5}(w)2v3)");
}

TEST(JsonCursor, SeesWhatDoesNotMatch) {
  for (const char* text : {"", "5", "[]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":}", "{\"a\":1,}", "{,}",
                           "{1:2}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":[}", "{\"a\":[1}]", "{\"a\":\"",
                           "{\"a\":1}}", "{\"a\":1} x", "{\"a\":{\"b\":[1,2}}"}) {
    const Pairs members = MembersOf(text);
    ASSERT_FALSE(members.empty()) << text;
    EXPECT_EQ(members.back().first, "!") << text;
  }
}

TEST(JsonCursor, TextThatEndsAnywhereIsNoObject) {
  const std::string text = R"({"a": {"b": ["\"", 1.5e3]}, "c": "\\"})";
  EXPECT_EQ(MembersOf(text).size(), 2u);
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_EQ(MembersOf(text.substr(0, length)).back().first, "!") << length;
  }
}

TEST(JsonCursor, NestingHasALimit) {
  const std::string deep = std::string(kMaxJsonDepth - 1, '[') + std::string(kMaxJsonDepth - 1, ']');
  EXPECT_EQ(MembersOf("{\"a\": " + deep + "}"), (Pairs{{"a", deep}}));
  EXPECT_EQ(MembersOf("{\"a\": [" + deep + "]}"), (Pairs{{"!", ""}}));
  EXPECT_EQ(MembersOf("{\"a\": " + std::string(100000, '{')), (Pairs{{"!", ""}}));
}

TEST(JsonCursor, ReadsPlainValues) {
  EXPECT_EQ(ParsePlainString(" \"abc\" "), "abc");
  EXPECT_FALSE(ParsePlainString("\"a\\n\""));
  EXPECT_FALSE(ParsePlainString("abc"));
  EXPECT_FALSE(ParsePlainString("\"a\", \"b\""));
  EXPECT_EQ(ParsePlainStrings(R"([ "a", "b" ])"), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(ParsePlainStrings("[]"), std::vector<std::string_view>());
  for (const char* text : {"[\"a,b\"]", "[null]", "[\"a\",]", "\"a\"", ""})
    EXPECT_FALSE(ParsePlainStrings(text)) << text;
  EXPECT_EQ(ParsePlainIntegers("[1, 18446744073709551615]"), (std::vector<std::uint64_t>{1, UINT64_MAX}));
  EXPECT_EQ(ParsePlainIntegers("[\n]"), std::vector<std::uint64_t>());
  for (const char* text : {"[1.5]", "[-1]", "[1 2]", "[1,]", "[[1]]", "[18446744073709551616]", "1", "[", ""}) {
    EXPECT_FALSE(ParsePlainIntegers(text)) << text;
  }
}

}  // namespace
}  // namespace zarr
