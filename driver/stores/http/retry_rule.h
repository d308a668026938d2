// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gdal_zarr {

/// How often a failed request is sent again, as GDAL's configuration options say.
struct RetryRule {
  int most = 0;       ///< GDAL_HTTP_MAX_RETRY
  double delay = 30;  ///< GDAL_HTTP_RETRY_DELAY: seconds before the first retry
  std::string codes;  ///< GDAL_HTTP_RETRY_CODES: "" for GDAL's own choice, "ALL", or a list such as "500,503"
};

/// Whether the rule wants a request with that status, which means failure, to be sent again. Status 0 stands for an
/// answer that broke off or was wrong, and for a server that could not be reached: such requests are always sent again.
/// So are those whose status tells success, but which have brought nothing. `text` is the body of the answer.
bool IsRetried(const RetryRule& rule, int status, const std::string& text);

/// Waits before the `number`-th retry of a request, counted from 1. Returns false at once if the rule has fewer.
bool WaitForRetry(const RetryRule& rule, int number);

/// The seconds before the next retry: about twice as many as before the last one. `jitter` is between 0 and 1.
double ComputeNextDelay(double delay, double jitter);

}  // namespace gdal_zarr
