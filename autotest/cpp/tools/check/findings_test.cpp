// SPDX-License-Identifier: MIT
#include <set>

#include "autotest/cpp/support/zarrkit_test_util.h"
#include "zarrlib/tools/check/rules.h"

namespace zarr::tools {
namespace {

using test::Json;
using test::Result;
using test::Zarrkit;

class Findings : public test::FolderTest {
 protected:
  Findings() {
    Set(".zgroup", R"({"zarr_format": 2})");
    MakeArray("a", {4}, {2});
  }
};

TEST_F(Findings, AsJson) {
  Set("a/1", "x");
  Set("a/7", "abcd");
  Set("b/.zarray", R"({"zarr_format": 2, "shape": "none"})");
  const Result result = Zarrkit({"check", folder_, "--json"});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_EQ(result.err, "");
  const JsonNode report = Json(result.out);
  EXPECT_EQ(report.At("store").AsString(), folder_);
  std::map<std::string, JsonNode> by_rule;
  for (const JsonNode& finding : report.At("findings").GetItems()) by_rule[finding.At("rule").AsString()] = finding;
  ASSERT_EQ(by_rule.size(), 3U) << result.out;
  EXPECT_EQ(by_rule["chunk-undecodable"].At("key").AsString(), "a/1");
  EXPECT_EQ(by_rule["chunk-undecodable"].At("severity").AsString(), "error");
  EXPECT_EQ(by_rule["chunk-outside-grid"].At("key").AsString(), "a/7");
  EXPECT_EQ(by_rule["chunk-outside-grid"].At("severity").AsString(), "warning");
  const JsonNode document = by_rule["metadata-unreadable"];
  EXPECT_EQ(document.At("key").AsString(), "b/.zarray");
  EXPECT_EQ(document.At("pointer").AsString(), "/shape");
  EXPECT_NE(document.At("message").AsString(), "");
  EXPECT_EQ(report.At("errors").AsInt64(), 2);
  EXPECT_EQ(report.At("warnings").AsInt64(), 1);
  EXPECT_EQ(report.At("arrays").AsInt64(), 2);
}

TEST_F(Findings, AsJsonWithoutAny) {
  const Result result = Zarrkit({"check", folder_, "--json"});
  EXPECT_EQ(result.code, kSuccess);
  EXPECT_EQ(Json(result.out).At("findings").Dump(), "[]");
  EXPECT_EQ(Json(result.out).At("chunks").AsInt64(), 2);
}

TEST_F(Findings, AsJsonOfAStoreWhoseRootCannotBeRead) {
  Set(".zgroup", "{");
  const Result result = Zarrkit({"check", folder_, "--json"});
  EXPECT_EQ(result.code, kFailure);
  const JsonNode report = Json(result.out);
  ASSERT_EQ(report.At("findings").size(), 1U) << result.out;
  EXPECT_EQ(report.At("findings")[0].At("rule").AsString(), "metadata-unreadable");
  EXPECT_EQ(report.At("findings")[0].At("key").AsString(), ".zgroup");
  EXPECT_EQ(report.At("errors").AsInt64(), 1);
}

TEST_F(Findings, OfNoStoreThereIsAMessageAlone) {
  const Result result = Zarrkit({"check", folder_ + "/none", "--json"});
  EXPECT_EQ(result.code, kFailure);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err, "");
}

TEST_F(Findings, RulesHaveNamesOfTheirOwn) {
  std::set<std::string> names;
  std::size_t count = 0;
  for (const JsonNode& rule : Json(Zarrkit({"check", "--rules", "--json"}).out).GetItems()) {
    names.insert(rule.At("rule").AsString());
    EXPECT_NE(rule.At("meaning").AsString(), "");
    ++count;
  }
  EXPECT_GE(count, std::size(kStoreRules));
  EXPECT_EQ(names.size(), count);
  const std::string lines = Zarrkit({"check", "--rules"}).out;
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(lines, '\n')), count);
  EXPECT_TRUE(lines.starts_with("metadata-unreadable\terror\t")) << lines;
}

}  // namespace
}  // namespace zarr::tools
