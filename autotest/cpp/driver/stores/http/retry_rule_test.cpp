// SPDX-License-Identifier: MIT
#include "driver/stores/http/retry_rule.h"

#include <gtest/gtest.h>

namespace gdal_zarr {
namespace {

TEST(RetryRule, ByDefaultFailuresThatMayPassAreTriedAgain) {
  const RetryRule rule;
  for (const int status : {0, 429, 500, 502, 503, 504}) EXPECT_TRUE(IsRetried(rule, status, "")) << status;
  for (const int status : {301, 400, 401, 403, 404, 412, 501, 505}) EXPECT_FALSE(IsRetried(rule, status, "")) << status;
  for (const int status : {202, 204, 206}) EXPECT_TRUE(IsRetried(rule, status, "")) << status << " without a value";
  EXPECT_TRUE(IsRetried(rule, 400, "<Code>RequestTimeout</Code>"));
}

TEST(RetryRule, AListOfStatusesReplacesTheDefault) {
  const RetryRule rule{3, 1, "403, 500 ,50"};
  EXPECT_TRUE(IsRetried(rule, 403, ""));
  EXPECT_TRUE(IsRetried(rule, 500, ""));
  EXPECT_TRUE(IsRetried(rule, 0, ""));  // a body that broke off
  EXPECT_FALSE(IsRetried(rule, 503, ""));
  EXPECT_FALSE(IsRetried(rule, 40, ""));
}

TEST(RetryRule, AllMeansAll) {
  EXPECT_TRUE(IsRetried({3, 1, "ALL"}, 403, ""));
  EXPECT_TRUE(IsRetried({3, 1, "all"}, 418, ""));
}

TEST(RetryRule, WaitsAsOftenAsItSays) {
  const RetryRule rule{2, 0.001, ""};
  EXPECT_TRUE(WaitForRetry(rule, 1));
  EXPECT_TRUE(WaitForRetry(rule, 2));
  EXPECT_FALSE(WaitForRetry(rule, 3));
  EXPECT_FALSE(WaitForRetry(RetryRule(), 1));
}

TEST(RetryRule, DelaysGrow) {
  EXPECT_EQ(ComputeNextDelay(3, 0), 6);
  EXPECT_EQ(ComputeNextDelay(3, 1), 7.5);
}

}  // namespace
}  // namespace gdal_zarr
