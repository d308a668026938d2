// SPDX-License-Identifier: MIT
#include "driver/stores/http/retry_rule.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <string_view>
#include <thread>

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

double DrawJitter() {
  thread_local std::minstd_rand generator(std::random_device{}());
  return std::uniform_real_distribution<>()(generator);
}

}  // namespace

bool IsRetried(const RetryRule& rule, int status, const std::string& text) {
  const bool is_success = status >= 200 && status < 300;
  if (status == 0 || is_success) return true;
  if (!rule.codes.empty()) return IsEqualIgnoringCase(rule.codes, "ALL") || HasCode(rule.codes, status);
  // S3 answers 400 to a client that was too slow.
  return status == 429 || status == 500 || (status >= 502 && status <= 504) ||
         (status == 400 && text.find("RequestTimeout") != text.npos);
}

bool WaitForRetry(const RetryRule& rule, int number) {
  if (number > rule.most) return false;
  double delay = rule.delay;
  for (int i = 1; i < number; ++i) delay = ComputeNextDelay(delay, DrawJitter());
  std::this_thread::sleep_for(std::chrono::duration<double>(delay));
  return true;
}

double ComputeNextDelay(double delay, double jitter) {
  return delay * (2 + 0.5 * jitter);
}

}  // namespace gdal_zarr
