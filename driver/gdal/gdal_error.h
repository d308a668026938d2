// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {

/// The activity during which an error occurred. It determines the number of the CPLError.
enum class Activity { kOpening, kReading, kWriting };

/// Reports an error of the library as one CPLError of class CE_Failure.
void ReportError(const zarr::Error& error, Activity activity);

/// Reports the exception being handled, like ReportError. Call it in a catch block.
void ReportCurrentException(Activity activity) noexcept;

/// The boundary between zarrlib, which throws, and GDAL, through which exceptions must not pass. Calls `f` and returns
/// its result; if `f` throws, reports the error and returns `on_error`.
template <typename Result, typename Function>
Result Guard(Result on_error, Function&& f, Activity activity = Activity::kReading) noexcept {
  try {
    return std::forward<Function>(f)();
  } catch (...) {
    ReportCurrentException(activity);
    return on_error;
  }
}

/// For its lifetime, stores the first exception that Guard catches on this thread, instead of having it reported.
class ExceptionCarrier {
 public:
  ExceptionCarrier();
  ~ExceptionCarrier();
  ExceptionCarrier(const ExceptionCarrier&) = delete;
  ExceptionCarrier& operator=(const ExceptionCarrier&) = delete;

  void Rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  friend void ReportCurrentException(Activity activity) noexcept;
  ExceptionCarrier* outer_;
  std::exception_ptr exception_;
};

/// Calls a function of a GDAL object that may belong to this driver, and returns its result. Rethrows an exception that
/// Guard caught inside the call: the result would only look as if there were no value.
template <typename Function>
auto CallThrough(Function&& function) {
  const ExceptionCarrier carrier;
  auto result = std::forward<Function>(function)();
  carrier.Rethrow();
  return result;
}

/// Returns the attribute of that name, or null if there is none. Throws if the lookup fails.
std::shared_ptr<GDALAttribute> FindAttribute(const GDALMDArray& array, const char* name);

/// Runs a change. Returns false, after reporting the error, if it throws.
template <typename Function>
bool TryChange(Function&& function) noexcept {
  return Guard(
      false, [&] { return function(), true; }, Activity::kWriting);
}

/// Runs a change that returns its result as a CPLErr. Returns CE_Failure, after reporting the error, if it throws.
template <typename Function>
CPLErr GuardChange(Function&& function) noexcept {
  return Guard(CE_Failure, std::forward<Function>(function), Activity::kWriting);
}

/// For its lifetime, remembers the first failure that is reported to the user on this thread. All errors pass through.
class FailureWatch {
 public:
  FailureWatch();
  ~FailureWatch();
  FailureWatch(const FailureWatch&) = delete;
  FailureWatch& operator=(const FailureWatch&) = delete;

  bool failed() const { return failed_; }
  /// Returns the message; "" if there is none.
  const std::string& message() const { return message_; }

 private:
  static void CPL_STDCALL PassOn(CPLErr level, CPLErrorNum number, const char* message);

  bool failed_ = false;
  std::string message_;
};

/// For its lifetime, collects the errors and warnings that GDAL raises on this thread, so that they do not reach the
/// user; debug messages pass through. The destructor restores the thread's last error, and clears VSI's.
class ErrorCollector {
 public:
  ErrorCollector();
  ~ErrorCollector();
  ErrorCollector(const ErrorCollector&) = delete;
  ErrorCollector& operator=(const ErrorCollector&) = delete;

  bool failed() const { return failed_; }
  /// Returns the collected messages and VSI's last error, in one line; "" if there are none.
  std::string GetText() const;

 private:
  static void CPL_STDCALL Collect(CPLErr level, CPLErrorNum number, const char* message);

  bool failed_ = false;
  std::string text_;
  CPLErr last_type_;
  CPLErrorNum last_number_;
  std::optional<std::string> last_message_;  // nullopt if there was no memory for it
};

}  // namespace gdal_zarr
