// SPDX-License-Identifier: MIT
#include "driver/gdal/option_values.h"

#include <gtest/gtest.h>

#include <vector>

namespace gdal_zarr {
namespace {

TEST(OptionValues, AreTrueOrFalseOrNeither) {
  for (const std::string_view yes : {"YES", "yes", "True", "ON", "1"}) EXPECT_EQ(ParseBoolean(yes), true) << yes;
  for (const std::string_view no : {"NO", "no", "False", "OFF", "0"}) EXPECT_EQ(ParseBoolean(no), false) << no;
  for (const std::string_view other : {"", "Y", "N", "2", "-1", "YES ", "TRU", "ENABLED", "00"}) {
    EXPECT_EQ(ParseBoolean(other), std::nullopt) << other;
  }
}

struct Row {
  const char* name;
  const char* alias;
  const char* type;
  const char* default_value;
  std::vector<const char*> values;
  const char* description;
};

const Row kRows[] = {{"LEVEL", "", "int", nullptr, {}, "How small"},
                     {"SHAPE", "FORM", "string-select", "ROUND", {"ROUND", "FLAT"}, "One's <form>"}};

TEST(OptionRows, AreFoundByNameAndAlias) {
  const std::span<const Row> table(kRows);
  EXPECT_EQ(FindOptionRow(table, "level"), &kRows[0]);
  EXPECT_EQ(FindOptionRow(table, "Form"), &kRows[1]);
  EXPECT_EQ(FindOptionRow(table, ""), nullptr);
  EXPECT_EQ(FindOptionRow(table, "LEVELS"), nullptr);
}

TEST(OptionRows, AreElementsOfXml) {
  EXPECT_EQ(MakeOptionXml(kRows[0], " min='1' max='9'"),
            "<Option name='LEVEL' type='int' min='1' max='9' description='How small'></Option>");
  EXPECT_EQ(MakeOptionXml(kRows[1]),
            "<Option name='SHAPE' type='string-select' alias='FORM' default='ROUND' description='One&apos;s &lt;form>'>"
            "<Value>ROUND</Value><Value>FLAT</Value></Option>");
}

TEST(OptionRows, ListTheirValues) {
  EXPECT_EQ(JoinValues(kRows[0], " or "), "");
  EXPECT_EQ(JoinValues(kRows[1], " or "), "ROUND or FLAT");
}

}  // namespace
}  // namespace gdal_zarr
