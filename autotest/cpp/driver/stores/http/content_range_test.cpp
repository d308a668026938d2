// SPDX-License-Identifier: MIT
#include "driver/stores/http/content_range.h"

#include <gtest/gtest.h>

namespace gdal_zarr {
namespace {

TEST(ContentRange, ReadsARangeAndTheSizeOfTheValue) {
  const auto range = ParseContentRange("bytes 10-19/100");
  ASSERT_TRUE(range);
  EXPECT_TRUE(range->satisfied);
  EXPECT_EQ(range->first, 10u);
  EXPECT_EQ(range->last, 19u);
  EXPECT_EQ(range->size, 100u);
}

TEST(ContentRange, TheSizeMayBeUnknown) {
  const auto range = ParseContentRange(" Bytes  0-0/* ");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->last, 0u);
  EXPECT_FALSE(range->size);
}

TEST(ContentRange, ARangeMayBeRefused) {
  const auto range = ParseContentRange("bytes */100");
  ASSERT_TRUE(range);
  EXPECT_FALSE(range->satisfied);
  EXPECT_EQ(range->size, 100u);
}

TEST(ContentRange, OtherTextIsNone) {
  for (const char* text :
       {"", "bytes", "bytes ", "10-19/100", "items 10-19/100", "bytes 10-19", "bytes 10/100", "bytes 19-10/100",
        "bytes 10-100/100", "bytes -10/100", "bytes 10-/100", "bytes a-b/c", "bytes */*", "bytes 1-2/",
        "bytes 0-18446744073709551616/18446744073709551617", "bytes 0-9/100, 20-29/100"}) {
    EXPECT_FALSE(ParseContentRange(text)) << text;
  }
}

TEST(ContentRange, ALengthHasDigitsOnly) {
  EXPECT_EQ(ParseLength(" 18446744073709551615 "), UINT64_MAX);
  for (const char* text : {"", "-1", "+1", "1.0", "0x10", "1 2", "18446744073709551616"}) {
    EXPECT_FALSE(ParseLength(text)) << text;
  }
}

}  // namespace
}  // namespace gdal_zarr
