// SPDX-License-Identifier: MIT
#include "zarrlib/json/json_string.h"

#include <gtest/gtest.h>

#include <string>

namespace zarr {
namespace {

TEST(JsonString, ResolvesEscapes) {
  EXPECT_EQ(DecodeJsonString(R"("")"), "");
  EXPECT_EQ(DecodeJsonString(R"("plain \" \\ \/ \b\f\n\r\t")"), "plain \" \\ / \b\f\n\r\t");
  EXPECT_EQ(DecodeJsonString(R"("\u0041\u00e9\u20AC\ud83d\ude00")"), "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  EXPECT_EQ(DecodeJsonString("\"\xE2\x82\xAC\""), "\xE2\x82\xAC");
}

TEST(JsonString, KeepsEveryControlCharacter) {
  EXPECT_EQ(DecodeJsonString(R"("\u0001\u0000zarr:NaN\u0000")"), std::string("\1\0zarr:NaN\0", 11));
}

TEST(JsonString, ReplacesHalvesOfPairs) {
  EXPECT_EQ(DecodeJsonString(R"("\ud83d")"), "\xEF\xBF\xBD");
  EXPECT_EQ(DecodeJsonString(R"("\ude00x")"), "\xEF\xBF\xBDx");
  EXPECT_EQ(DecodeJsonString(R"("\ud83d\u0041")"), "\xEF\xBF\xBD\x41");
}

TEST(JsonString, IsNothingForOtherText) {
  for (const char* text :
       {"", "\"", "a", "[\"a\"]", R"("a)", R"("a"b")", R"("\x41")", R"("\u12")", R"("\u12g4")", R"("\")"})
    EXPECT_EQ(DecodeJsonString(text), std::nullopt) << text;
}

}  // namespace
}  // namespace zarr
