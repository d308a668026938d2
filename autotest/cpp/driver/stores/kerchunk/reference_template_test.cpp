// SPDX-License-Identifier: MIT
#include "driver/stores/kerchunk/reference_template.h"

#include <gtest/gtest.h>

#include <string>

#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

ReferenceTemplates MakeTemplates() {
  return ReferenceTemplates(zarr::JsonNode::Parse(
      R"({"u": "server/path", "f": "{{c}}", "g": "<{{f(c=d + '!')}}|{{f(c='x')}}>", "nested": "{{u}}/x", "e": ""})",
      "refs.json", ""));
}

std::string Render(std::string_view text, const ReferenceTemplates::Variables& variables = {}) {
  return MakeTemplates().Render(text, variables);
}

TEST(ReferenceTemplates, NamesStandForTexts) {
  EXPECT_EQ(Render("plain { } }} text"), "plain { } }} text");
  EXPECT_EQ(Render("http://{{u}}/{{ u }}"), "http://server/path/server/path");
  EXPECT_EQ(Render("{{nested}}{{e}}"), "server/path/x");
  EXPECT_EQ(Render("{{u}}", {{"u", "mine"}}), "mine");
}

TEST(ReferenceTemplates, TakeArguments) {
  EXPECT_EQ(Render("http://{{f(c='text')}}"), "http://text");
  EXPECT_EQ(Render("{{ f( c = \"a}b\" ) }}"), "a}b");
  EXPECT_EQ(Render("{{f(c=i + 1, unused=2,)}}", {{"i", std::int64_t{4}}}), "5");
  EXPECT_EQ(Render("{{g(d='a')}}"), "<a!|x>");
}

TEST(ReferenceTemplates, CalculateAsPythonDoes) {
  const ReferenceTemplates::Variables variables = {{"i", std::int64_t{3}}, {"j", std::int64_t{-7}}};
  EXPECT_EQ(Render("{{(i + 1) * 1000}}", variables), "4000");
  EXPECT_EQ(Render("{{i+1*2-4}}", variables), "1");
  EXPECT_EQ(Render("{{10 - 3 - 2}} {{-i}} {{- (i - 5)}}", variables), "5 -3 2");
  EXPECT_EQ(Render("{{j // 2}} {{j % 3}} {{7 // -2}} {{7 % -3}} {{-7 % -1}}", variables), "-4 2 -4 -2 0");
  EXPECT_EQ(Render("{{'a' + \"b\" + u}}", variables), "abserver/path");
}

TEST(ReferenceTemplates, RefuseTheRest) {
  for (const char* text : {"{{",
                           "{{}}",
                           "{{ u",
                           "{{u u}}",
                           "{{1.5}}",
                           "{{1x}}",
                           "{{u | upper}}",
                           "{{u.x}}",
                           "{{u[0]}}",
                           "{{1 / 2}}",
                           "{{1 // 0}}",
                           "{{1 % 0}}",
                           "{{'a' + 1}}",
                           "{{'a' * 2}}",
                           "{{'a}}",
                           "{{'\\n'}}",
                           "{{(1}}",
                           "{{f(1)}}",
                           "{{f(c=1}}",
                           "{{f(c=1 d=2)}}",
                           "{{99999999999999999999}}",
                           "{{9223372036854775807 + 1}}",
                           "{{(-9223372036854775807 - 1) // -1}}",
                           "{% if u %}",
                           "{# u #}",
                           "{{missing}}",
                           "{{missing(c=1)}}"}) {
    EXPECT_THROW(Render(text), zarr::Error) << text;
  }
}

TEST(ReferenceTemplates, EndWithoutMuchWork) {
  const auto expect_limit = [](const ReferenceTemplates& templates, const std::string& text) {
    try {
      templates.Render(text);
      ADD_FAILURE() << text.substr(0, 50);
    } catch (const zarr::Error& error) {
      EXPECT_EQ(error.kind(), zarr::ErrorKind::kLimitExceeded) << error.what();
    }
  };
  const auto parse = [](const std::string& text) { return ReferenceTemplates(zarr::JsonNode::Parse(text, "", "")); };
  expect_limit(parse(R"({"a": "{{b}}", "b": "{{a}}"})"), "{{a}}");
  expect_limit(parse(R"({"a": "{{a(x=1)}}"})"), "{{a}}");
  expect_limit(parse("{}"), "{{" + std::string(100000, '(') + "}}");
  expect_limit(parse("{}"), "{{" + std::string(100000, '-') + "1}}");
  std::string wide;
  for (int i = 0; i < 3000; ++i) wide += "{{e}}";
  expect_limit(MakeTemplates(), wide);
}

}  // namespace
}  // namespace gdal_zarr
