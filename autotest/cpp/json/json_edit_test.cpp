// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_edit.h"

#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

using test::Json;

TEST(JsonEdit, FindsMembersOfObjectsOnly) {
  EXPECT_EQ(FindMember(Json(R"({"a": 1})"), "a")->AsInt64(), 1);
  EXPECT_EQ(FindMember(Json(R"({"a": 1})"), "b"), std::nullopt);
  for (const char* text : {"null", "5", "[]", R"("a")"}) EXPECT_EQ(FindMember(Json(text), "a"), std::nullopt) << text;
}

TEST(JsonEdit, ComparesHowValuesAreWritten) {
  const auto parse = [](const char* text) { return JsonNode::Parse(text, "store", "key"); };
  EXPECT_TRUE(
      AreWrittenAlike(parse(R"({"a": {"b": 1, "c": 2}, "d": []})"), parse(R"({"d": [], "a": {"c": 2, "b": 1}})")));
  EXPECT_FALSE(AreWrittenAlike(parse("1"), parse("1.0")));
  EXPECT_FALSE(AreWrittenAlike(parse("[1, 2]"), parse("[2, 1]")));
  EXPECT_FALSE(AreWrittenAlike(parse(R"({"a": 1})"), parse(R"({"a": 1, "b": null})")));
}

TEST(JsonEdit, MakesListsOfNumbers) {
  EXPECT_EQ(MakeNumberList({1, 2.5}).Dump(), "[1.0,2.5]");
  EXPECT_EQ(MakeNumberList({}).Dump(), "[]");
}

TEST(JsonEdit, SetsAndRemovesMembers) {
  const JsonNode object = Json(R"({"a": 1, "b": 2})");
  EXPECT_EQ(CopyWithMember(object, "a", Json("3")).Dump(), R"({"a":3,"b":2})");
  EXPECT_EQ(CopyWithMember(object, "c", Json("3")).Dump(), R"({"a":1,"b":2,"c":3})");
  EXPECT_EQ(CopyWithMember(JsonNode(), "c", Json("3")).Dump(), R"({"c":3})");
  EXPECT_EQ(CopyWithoutMember(object, "a").Dump(), R"({"b":2})");
  EXPECT_EQ(CopyWithoutMember(object, "c").Dump(), R"({"a":1,"b":2})");
}

TEST(JsonEdit, AppliesTheDifferenceOfTwoValuesToAThird) {
  const auto apply = [](const char* stored, const char* before, const char* after) {
    return ApplyDifference(Json(stored), Json(before), Json(after)).Dump();
  };
  EXPECT_EQ(apply(R"({"a": 1, "x": 9})", R"({"a": 1})", R"({"a": 2, "b": 3})"), R"({"a":2,"x":9,"b":3})");
  EXPECT_EQ(apply(R"({"a": 1, "x": 9})", R"({"a": 1})", "{}"), R"({"x":9})");
  EXPECT_EQ(apply(R"({"a": 5})", R"({"a": 1})", R"({"a": 1})"), R"({"a":5})");  // nothing differs
  EXPECT_EQ(apply(R"({"o": {"x": 1, "y": 2}})", R"({"o": {"x": 1}})", R"({"o": {"x": 3}})"), R"({"o":{"x":3,"y":2}})");
  EXPECT_EQ(apply(R"({"o": [1]})", R"({"o": {"x": 1}})", R"({"o": {"x": 3}})"), R"({"o":{"x":3}})");
  EXPECT_EQ(apply("[1, 2]", "[1]", "[1, 3]"), "[1,3]");  // lists are replaced whole
  EXPECT_EQ(apply("{}", R"({"a": 1})", R"({"a": 2})"), R"({"a":2})");
  EXPECT_EQ(apply(R"({"a": 1, "b": 2, "c": 3})", R"({"b": 2})", R"({"d": 4, "c": 5, "e": 6})"),
            R"({"a":1,"c":5,"d":4,"e":6})");
}

}  // namespace
}  // namespace zarr
