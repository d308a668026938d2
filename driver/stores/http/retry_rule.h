// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gdal_zarr {

/// How often a failed request is repeated, according to GDAL's configuration options.
struct RetryRule {
  int most = 0;       ///< GDAL_HTTP_MAX_RETRY
  double delay = 30;  ///< GDAL_HTTP_RETRY_DELAY: seconds before the first retry
  std::string codes;  ///< GDAL_HTTP_RETRY_CODES: empty for GDAL's default, "ALL", or a list such as "500,503"
};

/// Returns true if a request that failed with that status should be repeated. Status 0 means that the answer was
/// truncated or wrong, or that the server could not be reached; such requests are always repeated. Requests with a
/// status of success but without a usable result are repeated too. `text` is the body of the answer.
bool IsRetried(const RetryRule& rule, int status, const std::string& text);

/// Waits before the `number`-th retry of a request, counted from 1. Returns false immediately if the rule does not
/// allow that many.
bool WaitForRetry(const RetryRule& rule, int number);

/// Returns the delay before the next retry, in seconds: about twice the last delay. `jitter` is between 0 and 1.
double ComputeNextDelay(double delay, double jitter);

}  // namespace gdal_zarr
