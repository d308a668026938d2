// SPDX-License-Identifier: MIT
#pragma once

#include <cpl_conv.h>
#include <cpl_error.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdal_zarr {

/// Adds to GDAL's errors of a change what the server has answered. GDAL's own message tells that a request has failed,
/// but neither the status nor the reason: in all versions from 3.6 on, these are in debug messages only. They are
/// collected while this object lives, on its thread; the destructor raises GDAL's errors with them. Does nothing if the
/// user lets GDAL print debug messages, among which the answers are then.
class AnswerWatch {
 public:
  AnswerWatch();
  ~AnswerWatch();
  AnswerWatch(const AnswerWatch&) = delete;
  AnswerWatch& operator=(const AnswerWatch&) = delete;

 private:
  struct Raised {
    CPLErr level;
    CPLErrorNum number;
    std::string message;
  };

  static void CPL_STDCALL Note(CPLErr level, CPLErrorNum number, const char* message);
  void NoteDebug(std::string_view message);
  /// What to add to an error: the last answer, if it was a failure.
  std::string GetAnswer() const;

  std::optional<CPLConfigOptionSetter> debug_;
  std::optional<CPLConfigOptionSetter> verbose_;
  std::vector<Raised> raised_;
  bool lacked_memory_ = false;
  std::string status_;  // "500 Internal Server Error", of the last answer
  std::string reason_;  // the code in its body
};

}  // namespace gdal_zarr
