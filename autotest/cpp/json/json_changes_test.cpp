// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_changes.h"

#include <array>

#include "autotest/cpp/support/growth.h"
#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

using test::Json;

std::string Apply(const JsonChanges& changes, std::string_view object) {
  return changes.ApplyTo(Json(object)).Dump();
}

void SetItem(JsonChanges* changes, const JsonListForm& form, std::size_t index, const std::vector<std::string>& steps,
             const std::optional<JsonNode>& value) {
  changes->SetItem("l", form, index, steps, value);
}

TEST(JsonChanges, SetAndRemoveMembers) {
  JsonChanges changes;
  EXPECT_EQ(Apply(changes, R"({"a": 1})"), R"({"a":1})");
  changes.SetMember("b", Json("2"));
  changes.SetMember("a", Json("3"));
  changes.SetMember("c", std::nullopt);
  EXPECT_EQ(Apply(changes, R"({"c": 0, "a": 1, "x": 9})"), R"({"a":3,"x":9,"b":2})");
  EXPECT_EQ(Apply(changes, "null"), R"({"b":2,"a":3})");
  changes.SetMember("a", std::nullopt);
  changes.SetMember("c", Json("4"));
  EXPECT_EQ(Apply(changes, R"({"c": 0, "a": 1})"), R"({"c":4,"b":2})");
}

TEST(JsonChanges, TellWhatAMemberBecomes) {
  JsonChanges changes;
  changes.SetMember("a", Json("3"));
  changes.SetMember("b", std::nullopt);
  EXPECT_EQ(changes.ApplyToMember("a", std::nullopt), Json("3"));
  EXPECT_EQ(changes.ApplyToMember("b", Json("1")), std::nullopt);
  EXPECT_EQ(changes.ApplyToMember("c", Json("1")), Json("1"));
  EXPECT_TRUE(changes.Changes("b"));
  EXPECT_FALSE(changes.Changes("c"));
}

TEST(JsonChanges, ChangeMembersOfObjectsThatDiffer) {
  JsonChanges changes;
  changes.ChangeMember("o", Json(R"({"x": 1, "y": 2, "p": {"q": 1, "r": 1}})"),
                       Json(R"({"x": 3, "p": {"q": 2, "r": 1}})"));
  EXPECT_EQ(Apply(changes, R"({"o": {"x": 1, "y": 2, "z": 4, "p": {"q": 1, "r": 5}}})"),
            R"({"o":{"x":3,"z":4,"p":{"q":2,"r":5}}})");
  EXPECT_EQ(Apply(changes, R"({"o": 5})"), R"({"o":{"x":3,"p":{"q":2}}})");
  changes.ChangeMember("n", std::nullopt, Json(R"({"x": 1})"));
  changes.ChangeMember("e", Json(R"({"x": 1})"), Json("{}"));
  EXPECT_EQ(Apply(changes, R"({"o": {"p": {}}, "e": {"x": 1}})"), R"({"o":{"p":{"q":2},"x":3},"e":{},"n":{"x":1}})");
}

TEST(JsonChanges, ChangeItemsOfLists) {
  const JsonListForm form{.size = 3, .blank = Json("{}")};
  JsonChanges changes;
  SetItem(&changes, form, 1, {"description"}, Json("\"b\""));
  EXPECT_EQ(Apply(changes, "{}"), R"({"l":[{},{"description":"b"},{}]})");
  EXPECT_EQ(Apply(changes, R"({"l": [{"x": 1}, null, null, 5]})"), R"({"l":[{"x":1},{"description":"b"},{}]})");
  SetItem(&changes, form, 1, {"metadata", "k"}, Json("\"v\""));
  EXPECT_EQ(Apply(changes, R"({"l": [{}, {"metadata": {"m": "w"}}]})"),
            R"({"l":[{},{"metadata":{"m":"w","k":"v"},"description":"b"},{}]})");
  EXPECT_EQ(changes.ApplyToItem("l", 1, Json(R"({"x": 1})"))->Dump(),
            R"({"x":1,"description":"b","metadata":{"k":"v"}})");
  EXPECT_EQ(changes.ApplyToItem("l", 0, Json("5")), Json("5"));
  EXPECT_EQ(changes.ApplyToItem("other", 0, Json("5")), Json("5"));
}

TEST(JsonChanges, LeaveNothingOfListsWithoutItems) {
  const JsonListForm form{.size = 2, .blank = Json("{}")};
  JsonChanges changes;
  SetItem(&changes, form, 0, {"metadata", "k"}, std::nullopt);
  EXPECT_EQ(Apply(changes, R"({"l": [{"metadata": {"k": "v"}}, {}], "a": 1})"), R"({"a":1})");
  EXPECT_EQ(Apply(changes, R"({"l": [{"metadata": {"k": "v"}}, {"x": 1}]})"), R"({"l":[{},{"x":1}]})");
  EXPECT_EQ(Apply(changes, "{}"), "{}");
}

TEST(JsonChanges, ChangeListsOfNumbersAndSingleOnes) {
  JsonChanges changes;
  SetItem(&changes, {.size = 2, .blank = JsonNode(), .single_is_bare = true}, 1, {}, Json("2.5"));
  EXPECT_EQ(Apply(changes, "{}"), R"({"l":[null,2.5]})");
  EXPECT_EQ(Apply(changes, R"({"l": [1, 2, 3]})"), R"({"l":[1,2.5]})");
  JsonChanges single;
  SetItem(&single, {.size = 1, .blank = JsonNode(), .single_is_bare = true}, 0, {}, Json("2.5"));
  EXPECT_EQ(Apply(single, R"({"l": 1})"), R"({"l":2.5})");
  SetItem(&single, {.size = 1}, 0, {}, std::nullopt);
  EXPECT_EQ(Apply(single, R"({"l": 1})"), "{}");
}

TEST(JsonChanges, FillListsThatAreShort) {
  JsonChanges changes;
  const JsonListForm form{.size = 3, .blank = Json("\"\""), .fill = {Json("\"a\""), Json("\"b\""), Json("\"c\"")}};
  SetItem(&changes, form, 2, {}, Json("\"x\""));
  EXPECT_EQ(Apply(changes, "{}"), R"({"l":["a","b","x"]})");
  EXPECT_EQ(Apply(changes, R"({"l": ["q"]})"), R"({"l":["q","b","x"]})");
}

TEST(JsonChanges, GiveAListThatIsReadWholeItsSize) {
  JsonChanges changes;
  SetItem(&changes, {.size = 3, .is_read_whole = true}, 0, {}, Json("15"));
  EXPECT_EQ(Apply(changes, R"({"l": [15, null]})"), R"({"l":[15,null,null]})");
  EXPECT_EQ(Apply(changes, R"({"l": [15, null, 7]})"), R"({"l":[15,null,7]})");
}

TEST(JsonChanges, ReplaceAListBeforeItsItems) {
  JsonChanges changes;
  SetItem(&changes, {.size = 2}, 0, {}, Json("1"));
  changes.SetMember("l", Json("[7, 8]"));
  EXPECT_EQ(Apply(changes, R"({"l": [3]})"), R"({"l":[7,8]})");
  SetItem(&changes, {.size = 2}, 0, {}, Json("1"));
  EXPECT_EQ(Apply(changes, R"({"l": [3]})"), R"({"l":[1,8]})");
  EXPECT_EQ(changes.ApplyToItem("l", 1, Json("3")), Json("8"));
  EXPECT_EQ(changes.ApplyToItem("l", 0, Json("3")), Json("1"));
}

TEST(JsonChanges, FindItemsOfAReplacedValue) {
  JsonChanges changes;
  changes.SetMember("l", Json("5"));
  EXPECT_EQ(changes.ApplyToItem("l", 0, Json("3")), Json("5"));
  EXPECT_EQ(changes.ApplyToItem("l", 1, Json("3")), std::nullopt);
  changes.SetMember("l", Json(R"([{"x": 1}])"));
  SetItem(&changes, {.size = 1}, 0, {"y"}, Json("2"));
  EXPECT_EQ(changes.ApplyToItem("l", 0, Json("3"))->Dump(), R"({"x":1,"y":2})");
}

TEST(JsonChanges, TakeTimeByTheirNumber) {
  const auto collect = [](std::size_t count) {
    JsonChanges changes;
    const JsonListForm form{.size = count, .blank = JsonNode::MakeObject({})};
    for (std::size_t i = 0; i < count; ++i) {
      changes.SetMember("k" + std::to_string(i), JsonNode::MakeInteger(1));
      changes.SetItem("l", form, i, std::array<std::string, 2>{"metadata", "k"}, JsonNode::MakeInteger(1));
    }
    EXPECT_EQ(changes.ApplyTo(JsonNode()).size(), count + 1);
  };
  EXPECT_LT(test::MeasureGrowth(2000, collect), 24);
}

}  // namespace
}  // namespace zarr
