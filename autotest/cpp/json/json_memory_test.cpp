// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "autotest/cpp/support/failing_allocations.h"
#include "zarrlib/json/json_edit.h"
#include "zarrlib/json/json_node.h"

/// Whichever allocation fails and all after it, the caller is told; what has been made until then goes without memory.
namespace zarr {
namespace {

using test::CountAllocations;
using test::SucceedsWithin;

constexpr std::string_view kText =
    R"({"shape": [[1, [2, 3]], [], {}], "b": {"c": {"a longer name than is kept in place": [NaN, 1.5, "\u00e9"]}},)"
    R"( "b": [{"again": [true, {"x": null}]}], "d": "a longer text than is kept in place"})";

/// Lets ever more allocations succeed until they are enough.
template <typename Function>
void ExpectNoneIsNeededToGiveUp(const Function& function) {
  int allocations = 0;
  while (!SucceedsWithin(allocations, function)) ++allocations;
  EXPECT_GT(allocations, 1);
}

TEST(JsonMemory, Parses_OrNot) {
  ExpectNoneIsNeededToGiveUp([] { JsonNode::Parse(kText, "a store", "a key"); });
}

TEST(JsonMemory, NamesAreComparedWithoutAnAllocationForEach) {
  const auto count = [](int members) {
    std::string text = "{";
    for (int i = 0; i < members; ++i) text += "\"n" + std::to_string(i) + "\":1,";
    text.back() = '}';
    return CountAllocations([&] { JsonNode::Parse(text, "a store", "a key"); });
  };
  EXPECT_LT(count(20000), count(10000) + 100);
}

TEST(JsonMemory, TellsOfWhatIsNotJson_OrOfMemory) {
  ExpectNoneIsNeededToGiveUp([] {
    try {
      JsonNode::Parse(R"({"a": [[1, {"b": [2]}], {"c": [3])", "a store", "a key");
    } catch (const Error&) {
      return;
    }
    ADD_FAILURE();
  });
}

TEST(JsonMemory, MakesAndChanges_OrNot) {
  const JsonNode node = JsonNode::Parse(kText, "a store", "a key");
  ExpectNoneIsNeededToGiveUp([&] {
    const JsonNode array = JsonNode::MakeArray({node, node.At("b"), node});
    const JsonNode object = JsonNode::MakeObject({{"a", array}, {"b", node}, {"a", node}});
    ApplyDifference(object, node, CopyWithMember(node, "b", object));
  });
}

TEST(JsonMemory, Dumps_OrNot) {
  const JsonNode node = JsonNode::Parse(kText, "a store", "a key");
  for (const auto style : {JsonNode::Style::kV2, JsonNode::Style::kV3, JsonNode::Style::kCompact}) {
    ExpectNoneIsNeededToGiveUp([&] { EXPECT_FALSE(node.Dump(style).empty()); });
  }
}

}  // namespace
}  // namespace zarr
