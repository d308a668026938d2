// SPDX-License-Identifier: MIT
#include "driver/stores/http/retry_rule.h"

#include <algorithm>
#include <string_view>

#include "driver/gdal/option_values.h"

namespace gdal_zarr {
namespace {

bool HasCode(std::string_view list, int status) {
  const std::string wanted = std::to_string(status);
  while (!list.empty()) {
    std::string_view code = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), code.size() + 1));
    while (code.starts_with(' ')) code.remove_prefix(1);
    while (code.ends_with(' ')) code.remove_suffix(1);
    if (code == wanted) return true;
  }
  return false;
}

}  // namespace

bool IsRetried(const RetryRule& rule, int status, const std::string& text) {
  if (status == 0) return true;
  if (!rule.codes.empty()) return IsEqualIgnoringCase(rule.codes, "ALL") || HasCode(rule.codes, status);
  // S3 answers 400 to a client that was too slow.
  return status == 429 || status == 500 || (status >= 502 && status <= 504) ||
         (status == 400 && text.find("RequestTimeout") != text.npos);
}

double ComputeNextDelay(double delay, double jitter) {
  return delay * (2 + 0.5 * jitter);
}

}  // namespace gdal_zarr
