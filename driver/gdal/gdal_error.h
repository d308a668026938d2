#pragma once

#include <string>
#include <utility>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {

/// What was being done when something went wrong: bad metadata keep a dataset from being opened, a bad chunk does not.
enum class Activity { kOpening, kReading, kWriting };

/// Reports an error of the library as one CPLError of class CE_Failure.
void ReportError(const zarr::Error& error, Activity activity);

/// As ReportError, for what is being handled; to be called in a catch block.
void ReportCurrentException(Activity activity) noexcept;

/// The boundary between the library, which throws, and GDAL, through which nothing may be thrown: calls `f` and returns
/// its result, or reports what it throws and returns `on_error`.
template <typename Result, typename Function>
Result Guard(Result on_error, Function&& f, Activity activity = Activity::kReading) noexcept {
  try {
    return std::forward<Function>(f)();
  } catch (...) {
    ReportCurrentException(activity);
    return on_error;
  }
}

/// Runs a change; false, with its error reported, if it fails.
template <typename Function>
bool Changes(Function&& function) noexcept {
  return Guard(
      false, [&] { return function(), true; }, Activity::kWriting);
}

/// While this lives, errors and warnings that GDAL raises on this thread are collected here and do not reach the user;
/// debug messages do. Afterwards the thread's last error, and that of VSI, are what they were or none.
class ErrorCollector {
 public:
  ErrorCollector();
  ~ErrorCollector();
  ErrorCollector(const ErrorCollector&) = delete;
  ErrorCollector& operator=(const ErrorCollector&) = delete;

  bool failed() const { return failed_; }
  /// What was collected and what VSI says, in one line; "" if that is nothing.
  std::string Text() const;

 private:
  static void CPL_STDCALL Collect(CPLErr level, CPLErrorNum number, const char* message);

  bool failed_ = false;
  std::string text_;
  CPLErr last_type_;
  CPLErrorNum last_number_;
  std::string last_message_;
};

}  // namespace gdal_zarr
