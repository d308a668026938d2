// SPDX-License-Identifier: MIT
#include "zarrlib/tools/chunk/element_text.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace zarr::tools {
namespace {

TEST(ElementText, DatesAreAsExactAsTheirUnit) {
  EXPECT_EQ(FormatDatetime(54, "Y", 1), "2024");
  EXPECT_EQ(FormatDatetime(-1, "M", 1), "1969-12");
  EXPECT_EQ(FormatDatetime(-1, "W", 1), "1969-12-25");
  EXPECT_EQ(FormatDatetime(19782, "D", 1), "2024-02-29");
  EXPECT_EQ(FormatDatetime(-1, "h", 1), "1969-12-31T23:00");
  EXPECT_EQ(FormatDatetime(61, "m", 1), "1970-01-01T01:01");
  EXPECT_EQ(FormatDatetime(4, "s", 25), "1970-01-01T00:01:40");
  EXPECT_EQ(FormatDatetime(-1, "ms", 1), "1969-12-31T23:59:59.999");
  EXPECT_EQ(FormatDatetime(1, "us", 1), "1970-01-01T00:00:00.000001");
  EXPECT_EQ(FormatDatetime(INT64_MAX, "ns", 1), "2262-04-11T23:47:16.854775807");
}

TEST(ElementText, DatesFarAway) {
  EXPECT_EQ(FormatDatetime(-719528, "D", 1), "0000-01-01");
  EXPECT_EQ(FormatDatetime(-719529, "D", 1), "-0001-12-31");
  EXPECT_EQ(FormatDatetime(2932897, "D", 1), "+10000-01-01");
  EXPECT_EQ(FormatDatetime(INT64_MIN, "D", 1), "NaT");
  EXPECT_EQ(FormatDatetime(INT64_MAX, "D", 1), "9223372036854775807");
  EXPECT_EQ(FormatDatetime(INT64_MAX, "Y", 2), "9223372036854775807");
  EXPECT_EQ(FormatDatetime(INT64_MIN + 1, "W", 1), "-9223372036854775807");
  EXPECT_EQ(FormatDatetime(5, "ps", 1), "5");
  EXPECT_EQ(FormatDatetime(5, "generic", 1), "5");
}

}  // namespace
}  // namespace zarr::tools
