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

}  // namespace
}  // namespace zarr
