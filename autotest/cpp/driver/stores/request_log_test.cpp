// SPDX-License-Identifier: MIT
#include "driver/stores/request_log.h"

#include <gtest/gtest.h>

#include <chrono>

namespace gdal_zarr {
namespace {

RequestLog::Clock::time_point At(int milliseconds) {
  return RequestLog::Clock::time_point(std::chrono::milliseconds(milliseconds));
}

TEST(RequestLog, RequestsAtTheSameTimeAreOneRoundTrip) {
  RequestLog log("/vsicurl/http://host/a.zarr");
  for (int i = 0; i < 3; ++i) log.Begin(At(i));
  for (int i = 0; i < 3; ++i) log.End(At(i), At(50 + i), 100);
  EXPECT_EQ(log.counts().requests, 3U);
  EXPECT_EQ(log.counts().round_trips, 1U);
  EXPECT_EQ(log.counts().bytes, 300U);
  EXPECT_DOUBLE_EQ(log.counts().seconds, 0.052);
}

TEST(RequestLog, RequestsThatFollowEachOtherAreRoundTrips) {
  RequestLog log("/vsicurl/http://host/a.zarr");
  for (const int begin : {0, 50, 200}) {
    log.Begin(At(begin));
    log.End(At(begin), At(begin + 50), 0);
  }
  EXPECT_EQ(log.counts().round_trips, 3U);
  EXPECT_DOUBLE_EQ(log.counts().seconds, 0.15);
}

TEST(RequestLog, TheLongestSeriesCounts) {
  RequestLog log("/vsicurl/http://host/a.zarr");
  // A long request beside two short ones, and one that overlaps with the second of these only.
  log.Begin(At(0));
  log.Begin(At(0));
  log.End(At(0), At(50), 0);
  log.Begin(At(50));
  log.Begin(At(90));
  log.End(At(50), At(100), 0);
  log.End(At(0), At(120), 0);
  log.End(At(90), At(140), 0);
  EXPECT_EQ(log.counts().round_trips, 2U);
  EXPECT_DOUBLE_EQ(log.counts().seconds, 0.14);
}

}  // namespace
}  // namespace gdal_zarr
