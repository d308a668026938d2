// SPDX-License-Identifier: MIT
#include "zarrlib/base/text.h"

#include <gtest/gtest.h>

namespace zarr {
namespace {

TEST(ParseNumber, TakesNumbersOnly) {
  EXPECT_EQ(ParseNumber<int>("-12"), -12);
  EXPECT_EQ(ParseNumber<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(ParseNumber<double>("2.5e3"), 2500);
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "x", "1.5"}) {
    EXPECT_EQ(ParseNumber<int>(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseNumber<std::uint8_t>("256"), std::nullopt);
  EXPECT_EQ(ParseNumber<std::uint8_t>("-1"), std::nullopt);
}

TEST(ParseNumber, TakesAPartOfAText) {
  EXPECT_EQ(ParseNumber<int>(std::string_view("123").substr(0, 2)), 12);
}

TEST(AppendUtf8, EncodesEveryLength) {
  std::string text = "a";
  for (const std::uint32_t code : {0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xFFFFu, 0x10000u, 0x10FFFFu}) AppendUtf8(code, &text);
  EXPECT_EQ(text, "a\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
}

TEST(FormatDigits, FillsWithZeros) {
  EXPECT_EQ(FormatDigits(7, 2), "07");
  EXPECT_EQ(FormatDigits(0, 9), "000000000");
  EXPECT_EQ(FormatDigits(123, 2), "123");
}

TEST(FormatYear, HasFourDigitsAndASignWhereItIsNeeded) {
  EXPECT_EQ(FormatYear(2024), "2024");
  EXPECT_EQ(FormatYear(33), "0033");
  EXPECT_EQ(FormatYear(0), "0000");
  EXPECT_EQ(FormatYear(9999), "9999");
  EXPECT_EQ(FormatYear(10000), "+10000");
  EXPECT_EQ(FormatYear(-44), "-0044");
  EXPECT_EQ(FormatYear(-271821), "-271821");
}

}  // namespace
}  // namespace zarr
