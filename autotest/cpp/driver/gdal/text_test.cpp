// SPDX-License-Identifier: MIT
#include "driver/gdal/text.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace gdal_zarr {
namespace {

TEST(Text, IsEqualInAnyCase) {
  EXPECT_TRUE(IsEqualIgnoringCase("Zarr_V3", "ZARR_v3"));
  EXPECT_TRUE(IsEqualIgnoringCase("", ""));
  EXPECT_FALSE(IsEqualIgnoringCase("ZARR", "ZARR_V3"));
  EXPECT_FALSE(IsEqualIgnoringCase("ZARR_V3", "ZARR"));
  EXPECT_FALSE(IsEqualIgnoringCase("a", "b"));
  EXPECT_FALSE(IsEqualIgnoringCase("[", "{"));
  EXPECT_TRUE(IsEqualIgnoringCase(std::string_view("YESterday").substr(0, 3), "yes"));
}

TEST(Text, StartsAndEndsInAnyCase) {
  EXPECT_TRUE(StartsWithIgnoringCase("zarr:/a", "ZARR:"));
  EXPECT_FALSE(StartsWithIgnoringCase("zarr", "ZARR:"));
  EXPECT_TRUE(StartsWithIgnoringCase("a", ""));
  EXPECT_TRUE(EndsWithIgnoringCase("a.ZIP", ".zip"));
  EXPECT_FALSE(EndsWithIgnoringCase("zip", ".zip"));
  EXPECT_TRUE(EndsWithIgnoringCase("", ""));
}

TEST(Text, ParsesItemsOfNamesAndValues) {
  using Item = std::pair<std::string, std::string>;
  EXPECT_EQ(ParseNameValue("a=b=c"), Item("a", "b=c"));
  EXPECT_EQ(ParseNameValue("a:b"), Item("a", "b"));
  EXPECT_EQ(ParseNameValue("a="), Item("a", ""));
  EXPECT_EQ(ParseNameValue("a = b "), Item("a", " b "));
  EXPECT_EQ(ParseNameValue("a"), std::nullopt);
}

TEST(Text, IsOneOfSeveralWords) {
  EXPECT_TRUE(IsOneOfIgnoringCase("KM", {"m", "km"}));
  EXPECT_FALSE(IsOneOfIgnoringCase("kms", {"m", "km"}));
  EXPECT_FALSE(IsOneOfIgnoringCase("", {}));
}

TEST(Text, HasSmallLetters) {
  EXPECT_EQ(ToLower("AZaz[`{@ 1"), "azaz[`{@ 1");
}

TEST(Text, OfANumberGivesItAgain) {
  EXPECT_EQ(FormatNumber(10), "10");
  EXPECT_EQ(FormatNumber(-0.5), "-0.5");
  EXPECT_EQ(FormatNumber(0.1), "0.10000000000000001");
  EXPECT_EQ(std::stod(FormatNumber(std::numeric_limits<double>::max())), std::numeric_limits<double>::max());
}

TEST(Text, IsEscapedForApostrophes) {
  EXPECT_EQ(EscapeXml("a < b & c's \"d\" > e"), "a &lt; b &amp; c&apos;s \"d\" > e");
  EXPECT_EQ(EscapeXml("&lt;"), "&amp;lt;");
  EXPECT_EQ(EscapeXml(""), "");
}

}  // namespace
}  // namespace gdal_zarr
