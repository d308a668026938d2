// SPDX-License-Identifier: MIT
#include "zarrlib/json/parsed_texts.h"

#include <string>

#include "autotest/cpp/support/test_util.h"

namespace zarr {
namespace {

TEST(ParsedTexts, FollowTheText) {
  ParsedTexts texts;
  EXPECT_EQ(texts.Parse(R"({"a": 1})", "store", "key").At("a").AsInt64(), 1);
  EXPECT_EQ(texts.Parse(R"({"a": 2})", "store", "key").At("a").AsInt64(), 2);
  EXPECT_EQ(texts.Parse(R"({"a": 1})", "store", "other").At("a").AsInt64(), 1);
  EXPECT_EQ(texts.Parse(R"({"a": 2})", "store", "key").At("a").AsInt64(), 2);
}

TEST(ParsedTexts, ParseATextOnce) {
  ParsedTexts texts;
  // What is kept is not what the text says, which shows that the text was not read.
  texts.Keep("key", "no JSON", test::Json("5"));
  EXPECT_EQ(texts.Parse("no JSON", "store", "key").AsInt64(), 5);
  EXPECT_THROW(texts.Parse("no JSON", "store", "other"), Error);
  texts.Forget("key");
  EXPECT_THROW(texts.Parse("no JSON", "store", "key"), Error);
}

TEST(ParsedTexts, KeepSomeMegabytes) {
  ParsedTexts texts;
  const std::string large = "\"" + std::string(20 << 20, 'a') + "\"";
  texts.Keep("first", large, test::Json("1"));
  texts.Keep("second", large, test::Json("2"));
  EXPECT_EQ(texts.Parse(large, "store", "first").AsInt64(), 1);
  EXPECT_TRUE(texts.Parse(large, "store", "second").IsString());
  texts.Forget("first");
  texts.Keep("second", large, test::Json("2"));
  EXPECT_EQ(texts.Parse(large, "store", "second").AsInt64(), 2);
}

}  // namespace
}  // namespace zarr
