// SPDX-License-Identifier: MIT
#include "zarrlib/store/icechunk/iso_time.h"

#include <gtest/gtest.h>

namespace zarr {
namespace {

TEST(ParseIsoTime, ReadsIso8601) {
  EXPECT_EQ(ParseIsoTime("1970-01-01"), 0);
  EXPECT_EQ(ParseIsoTime("1970-01-02T00:00:01Z"), 86'401'000'000);
  EXPECT_EQ(ParseIsoTime("1970-01-01T02:00:00.5+02:00"), 500'000);
  EXPECT_EQ(ParseIsoTime("1970-01-01T00:00-01"), 3'600'000'000);
  EXPECT_EQ(ParseIsoTime("2026-05-01T12:00:00Z"), 1'777'636'800'000'000);
  for (const char* text : {"", "x", "2026", "2026-13-01", "2026-02-30", "2026-05-01T", "2026-05-01T25:00",
                           "2026-05-01x", "2026-05-01T12:00:00Zx"}) {
    EXPECT_EQ(ParseIsoTime(text), std::nullopt) << text;
  }
}

TEST(FormatIsoTime, LeavesOutFractions) {
  EXPECT_EQ(FormatIsoTime(86'401'999'999), "1970-01-02T00:00:01Z");
}

}  // namespace
}  // namespace zarr
