// SPDX-License-Identifier: MIT
#include "driver/gdal/option_values.h"

#include <gtest/gtest.h>

namespace gdal_zarr {
namespace {

TEST(OptionValues, AreEqualInAnyCase) {
  EXPECT_TRUE(IsEqualIgnoringCase("Zarr_V3", "ZARR_v3"));
  EXPECT_TRUE(IsEqualIgnoringCase("", ""));
  EXPECT_FALSE(IsEqualIgnoringCase("ZARR", "ZARR_V3"));
  EXPECT_FALSE(IsEqualIgnoringCase("ZARR_V3", "ZARR"));
  EXPECT_FALSE(IsEqualIgnoringCase("a", "b"));
  EXPECT_TRUE(IsEqualIgnoringCase(std::string_view("YESterday").substr(0, 3), "yes"));
}

TEST(OptionValues, AreTrueOrFalseOrNeither) {
  for (const std::string_view yes : {"YES", "yes", "True", "ON", "1"}) EXPECT_EQ(ParseBoolean(yes), true) << yes;
  for (const std::string_view no : {"NO", "no", "False", "OFF", "0"}) EXPECT_EQ(ParseBoolean(no), false) << no;
  for (const std::string_view other : {"", "Y", "N", "2", "-1", "YES ", "TRU", "ENABLED", "00"}) {
    EXPECT_EQ(ParseBoolean(other), std::nullopt) << other;
  }
}

TEST(OptionValues, AreEscapedForApostrophes) {
  EXPECT_EQ(EscapeXml("a < b & c's \"d\" > e"), "a &lt; b &amp; c&apos;s \"d\" > e");
  EXPECT_EQ(EscapeXml("&lt;"), "&amp;lt;");
  EXPECT_EQ(EscapeXml(""), "");
}

}  // namespace
}  // namespace gdal_zarr
