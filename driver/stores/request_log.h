// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "zarrlib/base/fork_safety.h"

namespace gdal_zarr {

/// Numbers about the reading of a store, since it was opened.
struct RequestCounts {
  std::uint64_t requests = 0;  ///< Requests that the driver has sent itself, and that have ended, in whatever way.
  /// The length of the longest series of these requests in which each began after the one before had ended. Requests
  /// that are under way at the same time are one round trip, however many they are. A request begins when it is sent,
  /// not when it is put into the queue.
  std::uint64_t round_trips = 0;
  std::uint64_t bytes = 0;    ///< Bytes of bodies that were received, and of values that GDAL's functions have read.
  std::uint64_t retries = 0;  ///< Those of the requests that were sent again after a failure.
  double seconds = 0;         ///< The time during which at least one of the requests was under way.
  std::uint64_t values = 0;   ///< Reads of values by GDAL's file functions, whose requests the driver does not see.
};

/// Counts the requests of a store. With the configuration option ZARR_DEBUG=REQUESTS, prints a line for each to the
/// standard error, and at the end a line with the counts. Thread-safe.
class RequestLog {
 public:
  using Clock = std::chrono::steady_clock;

  /// Throws zarr::Error(invalid_argument) for a value of ZARR_DEBUG that it does not know.
  explicit RequestLog(const std::string& store);
  ~RequestLog();
  RequestLog(const RequestLog&) = delete;
  RequestLog& operator=(const RequestLog&) = delete;

  // The calls of Begin and End have to be in the order of the times.
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

/// A store that counts.
class HasRequestLog {
 public:
  virtual ~HasRequestLog() = default;
  virtual const RequestLog& requests() const = 0;
};

}  // namespace gdal_zarr
