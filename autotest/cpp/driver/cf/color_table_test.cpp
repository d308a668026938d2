// SPDX-License-Identifier: MIT
#include "driver/cf/color_table.h"

#include <gtest/gtest.h>

#include "autotest/cpp/support/test_util.h"

namespace gdal_zarr {
namespace {

/// "index:red,green,blue,alpha" of all colours but black ones of no opacity, which fill gaps.
std::string Colours(std::string_view attributes) {
  const GDALColorTable table = ReadColorTable(zarr::test::Json(attributes), true);
  std::string text;
  for (int i = 0; i < table.GetColorEntryCount(); ++i) {
    const GDALColorEntry& entry = *table.GetColorEntry(i);
    if (entry.c1 == 0 && entry.c2 == 0 && entry.c3 == 0 && entry.c4 == 0) continue;
    text += (text.empty() ? "" : " ") + std::to_string(i) + ":" + std::to_string(entry.c1) + "," +
            std::to_string(entry.c2) + "," + std::to_string(entry.c3) + "," + std::to_string(entry.c4);
  }
  return text;
}

int CountOf(std::string_view attributes) {
  return ReadColorTable(zarr::test::Json(attributes), true).GetColorEntryCount();
}

TEST(ColorTable, IsAListOfColours) {
  EXPECT_EQ(Colours(R"({"COLOR_TABLE": [[1, 2, 3], [0, 255, 0, 128]]})"), "0:1,2,3,255 1:0,255,0,128");
}

TEST(ColorTable, LeavesOutWhatIsNoColour) {
  EXPECT_EQ(Colours(R"({"COLOR_TABLE": [[1, 2], [1, 2, 3, 4, 5], null, "red", [1, 2, 256], [-1, 2, 3], [1, 2.5, 3],
                        [1, "2", 3], {}, [9, 9, 9]]})"),
            "9:9,9,9,255");
}

TEST(ColorTable, HasNoEntriesWithoutColours) {
  for (const char* attributes : {"{}", "[]", "1", "null", R"({"COLOR_TABLE": "red"})", R"({"COLOR_TABLE": []})",
                                 R"({"flag_values": [1]})", R"({"flag_colors": ["#010203"]})"}) {
    EXPECT_EQ(CountOf(attributes), 0) << attributes;
  }
}

TEST(ColorTable, IsOneOfFlagsInCf) {
  EXPECT_EQ(Colours(R"({"flag_values": [3, 0, 5], "flag_colors": "#010203 #fF00a0 #0a0B0c"})"),
            "0:255,0,160,255 3:1,2,3,255 5:10,11,12,255");
  EXPECT_EQ(Colours(R"({"flag_values": [1, 2], "flag_colors": ["#010203", "04050680"]})"), "1:1,2,3,255 2:4,5,6,128");
  EXPECT_EQ(Colours(R"({"flag_values": 7, "flag_colors": "#010203"})"), "7:1,2,3,255");
}

TEST(ColorTable, LeavesOutWrongFlags) {
  EXPECT_EQ(Colours(R"({"flag_values": [-1, 65536, 1.5, "2", 65535], "flag_colors":
                        ["#010203", "#010203", "#010203", "#010203", "#010203"]})"),
            "2:1,2,3,255 65535:1,2,3,255");
  EXPECT_EQ(Colours(R"({"flag_values": [1, "a"], "flag_colors": ["#010203", "#010203"]})"), "");
  EXPECT_EQ(Colours(R"({"flag_values": [1, 2, 3, 4, 5, 6, 7, 8], "flag_colors":
                        ["#01020", "#0102030", "red", "", "#01020g", 66051, "#-1-2-3", "#020202"]})"),
            "8:2,2,2,255");
  EXPECT_EQ(Colours(R"({"flag_values": [1, 2], "flag_colors": ["#-0-0-0", "#010203"]})"), "2:1,2,3,255");
}

TEST(ColorTable, NeedsAsManyColoursAsFlags) {
  EXPECT_EQ(CountOf(R"({"flag_values": [1, 2], "flag_colors": "#010203"})"), 0);
  EXPECT_EQ(CountOf(R"({"flag_values": [1], "flag_colors": "#010203 #040506"})"), 0);
}

TEST(ColorTable, IsFirstOfAllTheOneThatGdalWrites) {
  EXPECT_EQ(Colours(R"({"COLOR_TABLE": [[1, 1, 1]], "flag_values": [1], "flag_colors": "#020202"})"), "0:1,1,1,255");
}

}  // namespace
}  // namespace gdal_zarr
