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

/// Adds the server's answer to GDAL's errors about a change. GDAL's message reports that a request has failed, but
/// neither the status nor the reason: in all versions since 3.6, these are in debug messages only. During its lifetime,
/// this object collects them on its thread; the destructor raises GDAL's errors with them. Does nothing if the user has
/// enabled GDAL's debug messages, which then contain the answers, and if GDAL has no credentials for a path that is
/// going to be changed.
class AnswerWatch {
 public:
  explicit AnswerWatch(const std::string& path);
  ~AnswerWatch();
  AnswerWatch(const AnswerWatch&) = delete;
  /// Returns false if the user has enabled GDAL's debug messages.
  static bool Works();
  AnswerWatch& operator=(const AnswerWatch&) = delete;

 private:
  struct Raised {
    CPLErr level;
    CPLErrorNum number;
    std::string message;
  };

  static void CPL_STDCALL Note(CPLErr level, CPLErrorNum number, const char* message);
  void NoteDebug(std::string_view message);
  /// Returns the text to add to an error: the last answer, if it was a failure.
  std::string GetAnswer() const;

  std::optional<CPLConfigOptionSetter> debug_;
  std::optional<CPLConfigOptionSetter> verbose_;
  std::vector<Raised> raised_;
  bool lacked_memory_ = false;
  std::string status_;  // of the last answer, such as "500 Internal Server Error"
  std::string reason_;  // the code in its body
};

}  // namespace gdal_zarr
