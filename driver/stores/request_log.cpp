// SPDX-License-Identifier: MIT
#include "driver/stores/request_log.h"

#include <cpl_conv.h>
#include <cpl_string.h>

#include <cstdio>
#include <mutex>

#include "driver/gdal/gdal_error.h"
#include "driver/stores/http/object_url.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

bool ReadDebugOption() {
  const char* value = CPLGetConfigOption("ZARR_DEBUG", "");
  if (EQUAL(value, "REQUESTS")) return true;
  if (*value == '\0') return false;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, "ZARR_DEBUG: " + zarr::FormatExpectedGot("REQUESTS", value));
}

std::string FormatSummary(const RequestCounts& counts) {
  std::string text;
  if (counts.requests > 0) {
    text = std::to_string(counts.requests) + " requests in " + std::to_string(counts.round_trips) + " round trips, " +
           std::to_string(counts.retries) + " retries, " + CPLSPrintf("%.3f s, ", counts.seconds);
  }
  if (counts.values > 0) text += std::to_string(counts.values) + " values read by GDAL, ";
  return text + std::to_string(counts.bytes) + " bytes";
}

}  // namespace

RequestLog::RequestLog(const std::string& store) : store_(HidePrivateParts(store)), prints_(ReadDebugOption()) {}

RequestLog::~RequestLog() {
  if (!prints_ || counts_.requests + counts_.values == 0) return;
  Guard(false, [this] { return Print("in all " + FormatSummary(counts_)), true; });
}

void RequestLog::Begin(Clock::time_point now) noexcept {
  const std::lock_guard lock(mutex_);
  if (under_way_++ == 0) busy_since_ = now;
}

void RequestLog::End(Clock::time_point begin, Clock::time_point now, std::uint64_t bytes) noexcept {
  const std::lock_guard lock(mutex_);
  ++counts_.requests;
  counts_.bytes += bytes;
  // Counts the longest chain of consecutive requests: whenever a request ends, it is added to the chain if it began
  // after the last request of the chain had ended.
  if (begin >= last_trip_end_) {
    ++counts_.round_trips;
    last_trip_end_ = now;
  }
  if (--under_way_ == 0) counts_.seconds += std::chrono::duration<double>(now - busy_since_).count();
}

void RequestLog::CountRetries(std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  counts_.retries += count;
}

void RequestLog::CountValue(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  ++counts_.values;
  counts_.bytes += bytes;
}

RequestCounts RequestLog::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

void RequestLog::Print(const std::string& text) const {
  // GDAL's debug messages require CPL_DEBUG, and would change the thread's last error. One call prints a whole line.
  std::fputs(("ZARR_DEBUG: " + store_ + ": " + text + "\n").c_str(), stderr);
}

}  // namespace gdal_zarr
