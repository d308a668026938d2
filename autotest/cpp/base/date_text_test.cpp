// SPDX-License-Identifier: MIT
#include "zarrlib/base/date_text.h"

#include <gtest/gtest.h>

namespace zarr {
namespace {

TEST(DateText, DigitsAreFilledWithZeros) {
  EXPECT_EQ(FormatDigits(7, 2), "07");
  EXPECT_EQ(FormatDigits(0, 9), "000000000");
  EXPECT_EQ(FormatDigits(123, 2), "123");
}

TEST(DateText, YearsHaveFourDigitsAndASignWhereItIsNeeded) {
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
