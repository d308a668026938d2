// SPDX-License-Identifier: MIT
#include "driver/gdal/selection.h"

#include <gtest/gtest.h>

#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

/// The selectors of a text, in brackets: the dimension, the kind (~ for the nearest, = for an equal value, # for an
/// index) and the value.
std::string Parse(std::string_view text) {
  std::string result;
  for (const Selector& selector : ParseSelection(text)) {
    const bool exact = selector.kind == Selector::Kind::kExact;
    const bool index = selector.kind == Selector::Kind::kIndex;
    result += "[" + selector.dimension + (exact ? "=" : index ? "#" : "~");
    result += (index ? std::to_string(selector.index) : selector.value) + "]";
  }
  return result;
}

TEST(Selection, IsAListOfDimensionsWithValues) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"time=2024-07-01T12:00", "[time~2024-07-01T12:00]"},
      {"time==2024-07-01", "[time=2024-07-01]"},
      {"time=2024-07-01,level=850", "[time~2024-07-01][level~850]"},
      {"time=#5", "[time#5]"},
      {"time=#18446744073709551615", "[time#18446744073709551615]"},
      {"time==#5", "[time=#5]"},
      {"name=\"#5\"", "[name~#5]"},
      {" time = 2024-07-01 12:00 , level == 850 ", "[time~2024-07-01 12:00][level=850]"},
      {"a b=1", "[a b~1]"},
      {"name=x=y", "[name~x=y]"},
      {"name=\"a,b\",level=1", "[name~a,b][level~1]"},
      {"name=\"\"", "[name~]"},
      {R"(name="a\"b\\")", R"([name~a"b\])"},
      {"\"a=b,c\" == 3", "[a=b,c=3]"},
      {"level=-1.5e3", "[level~-1.5e3]"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Parse(text), expected) << text;
}

TEST(Selection, RefusesOtherTexts) {
  for (const std::string_view text : {"",
                                      " ",
                                      ",",
                                      "time",
                                      "time=",
                                      "=3",
                                      "==3",
                                      "time==",
                                      "time=1,",
                                      ",time=1",
                                      "time=1,,level=2",
                                      "time=#",
                                      "time=#-1",
                                      "time=#x",
                                      "time=#1.5",
                                      "time=# 1",
                                      "time=#18446744073709551616",
                                      "\"time=1",
                                      "\"time\"",
                                      "time=\"1",
                                      "time=\"1\"2",
                                      "\"\"=1",
                                      "\"a\"b=1"}) {
    try {
      ParseSelection(text);
      ADD_FAILURE() << text;
    } catch (const zarr::Error& error) {
      EXPECT_EQ(error.kind(), zarr::ErrorKind::kInvalidArgument) << text;
      EXPECT_NE(std::string_view(error.what()).find(text), std::string_view::npos) << error.what();
    }
  }
}

TEST(Selection, BeginsAtTheFirstColonWithADimension) {
  const std::pair<std::string_view, std::size_t> cases[] = {
      {"/v:time=1", 2},      {"/v:3:time=12:00,b=1", 4}, {"/v:a:b=1", 4},     {"/v:\"a:b\"=1", 2},
      {"/v:\"a:b\" = 1", 2}, {"/v:t==1:u=2", 2},         {"/v:t/u=1:w=2", 8}, {"/v: t =1", 2},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(FindSelection(text), expected) << text;
  for (const std::string_view text :
       {"", "/v", "/v:1", "/v:", "/v:t", "/v:=1", "/v: =1", "t=1", "/v:a,b=1", "/v:\"t=1"}) {
    EXPECT_EQ(FindSelection(text), std::string_view::npos) << text;
  }
}

TEST(Selection, IsFormattedForMessages) {
  for (const std::string_view text : {"time=2024-07-01", "time==850", "time=#5"}) {
    EXPECT_EQ(FormatSelector(ParseSelection(text)[0]), text);
  }
}

}  // namespace
}  // namespace gdal_zarr
