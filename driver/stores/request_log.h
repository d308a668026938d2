// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "zarrlib/base/fork_safety.h"
#include "zarrlib/store/store_requests.h"

namespace gdal_zarr {

using zarr::RequestCounts;

/// Counts the requests of a store. With the configuration option ZARR_DEBUG=REQUESTS, prints a line for each request to
/// standard error, and finally a line with the counts. Thread-safe.
class RequestLog {
 public:
  using Clock = std::chrono::steady_clock;

  /// Throws zarr::Error(invalid_argument) for an unknown value of ZARR_DEBUG.
  explicit RequestLog(const std::string& store);
  ~RequestLog();
  RequestLog(const RequestLog&) = delete;
  RequestLog& operator=(const RequestLog&) = delete;

  // Call Begin and End in the order of the times.
  void Begin(Clock::time_point now) noexcept;
  void End(Clock::time_point begin, Clock::time_point now, std::uint64_t bytes) noexcept;
  void CountRetries(std::uint64_t count);
  void CountValue(std::uint64_t bytes);

  RequestCounts counts() const;
  bool prints() const { return prints_; }
  /// Prints a line about a request, such as "GET c/0/1: 200, 100 bytes, 51 ms".
  void Print(const std::string& text) const;

 private:
  const std::string store_;
  const bool prints_;
  mutable zarr::ForkSafeMutex mutex_;
  RequestCounts counts_;
  std::uint64_t under_way_ = 0;
  Clock::time_point busy_since_;
  Clock::time_point last_trip_end_ = Clock::time_point::min();
};

}  // namespace gdal_zarr
