// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_scan.h"

#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

std::string Mark(std::string_view token) {
  return "\"\\u0001zarr:" + std::string(token) + "\"";
}

TEST(JsonScan, LeavesJsonAsItIs) {
  const std::string text = R"( {"a": [1, -2.5e3, true, null, "x\\\"y"], "b\/": {}} )";
  EXPECT_EQ(NormalizeJson(text), text);
}

TEST(JsonScan, MarksBareTokens) {
  EXPECT_EQ(NormalizeJson("[NaN,Infinity,-Infinity]"),
            "[" + Mark("NaN") + "," + Mark("Infinity") + "," + Mark("-Infinity") + "]");
}

TEST(JsonScan, LeavesTokensInStringsAlone) {
  const std::string text = R"({"NaN": "-Infinity", "x": "a \" NaN"})";
  EXPECT_EQ(NormalizeJson(text), text);
}

TEST(JsonScan, LeavesNegativeNumbersAlone) {
  EXPECT_EQ(NormalizeJson("[-1,-0.5]"), "[-1,-0.5]");
}

TEST(JsonScan, DropsByteOrderMark) {
  EXPECT_EQ(NormalizeJson("\xEF\xBB\xBF{}"), "{}");
}

TEST(JsonScan, DropsTrailingNulBytesOnly) {
  using namespace std::string_view_literals;
  EXPECT_EQ(NormalizeJson("{}\0\0"sv), "{}");
  EXPECT_EQ(NormalizeJson("{\0}"sv), "{\0}"sv);
}

TEST(JsonScan, ReplacesLoneSurrogates) {
  EXPECT_EQ(NormalizeJson(R"("\ud800")"), R"("\ufffd")");
  EXPECT_EQ(NormalizeJson(R"("\udc00x")"), R"("\ufffdx")");
  EXPECT_EQ(NormalizeJson(R"("\ud800\ud800\udc00")"), R"("\ufffd\ud800\udc00")");
  EXPECT_EQ(NormalizeJson(R"("\ud83d\u0041")"), R"("\ufffd\u0041")");
}

TEST(JsonScan, KeepsSurrogatePairs) {
  EXPECT_EQ(NormalizeJson(R"("\ud83d\ude00")"), R"("\ud83d\ude00")");
  EXPECT_EQ(NormalizeJson(R"("\uD83D\uDE00")"), R"("\uD83D\uDE00")");
}

TEST(JsonScan, TakesAnEscapedBackslashForWhatItIs) {
  EXPECT_EQ(NormalizeJson(R"("\\ud800")"), R"("\\ud800")");
  EXPECT_EQ(NormalizeJson(R"(["\\", NaN])"), R"(["\\", )" + Mark("NaN") + "]");
}

TEST(JsonScan, CopiesTextThatEndsAnywhere) {
  const std::string text = R"({"a": "\ud83d\ude00 \" -Infinity", "b": [-Infinity)";
  for (std::size_t length = 0; length < text.size(); ++length) {
    const std::string normalized = NormalizeJson(std::string_view(text).substr(0, length));
    EXPECT_GE(normalized.size() + 1, length) << length;
  }
}

TEST(JsonScan, NestingOfTheLimitIsFine) {
  const std::string text = std::string(kMaxJsonDepth, '[') + std::string(kMaxJsonDepth, ']');
  EXPECT_EQ(NormalizeJson(text), text);
  EXPECT_NO_THROW(NormalizeJson("[" + text.substr(1, text.size() - 2) + "," + text.substr(1, text.size() - 2) + "]"));
}

TEST(JsonScan, RefusesNestingBeyondTheLimit) {
  test::ExpectError([] { NormalizeJson(std::string(kMaxJsonDepth + 1, '[')); }, ErrorKind::kCorrupt, "",
                    "deeper than 200");
  test::ExpectError([] { NormalizeJson(std::string(100000, '{')); }, ErrorKind::kCorrupt, "", "deeper than 200");
}

TEST(JsonScan, BracketsInStringsAreNoNesting) {
  const std::string text = "\"" + std::string(1000, '[') + "\"";
  EXPECT_EQ(NormalizeJson(text), text);
}

TEST(JsonScan, NoStringPassesForAMark) {
  EXPECT_EQ(NormalizeJson(R"("\u0001zarr:NaN")"), R"("\ufffdzarr:NaN")");
  EXPECT_EQ(NormalizeJson(R"({"\u0001zarr:1, \"x\": 2": 3})"), R"({"\ufffdzarr:1, \"x\": 2": 3})");
  EXPECT_EQ(NormalizeJson(R"("\u0001\u007aarr:NaN")"), R"("\ufffd\u007aarr:NaN")");
  EXPECT_EQ(NormalizeJson(R"("a\u0001")"), R"("a\u0001")");
  EXPECT_EQ(NormalizeJson(R"(["\u0001", "\u0001\u0000", "\u0001arr"])"), R"(["\u0001", "\u0001\u0000", "\u0001arr"])");
}

}  // namespace
}  // namespace zarr
