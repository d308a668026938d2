// SPDX-License-Identifier: MIT
#include "driver/stores/answer_watch.h"

#include <cpl_string.h>

#include <algorithm>
#include <exception>

#include "driver/stores/credentials.h"

namespace gdal_zarr {
namespace {

constexpr std::string_view kHeader = "CURL_INFO_HEADER_IN: HTTP/";

// The messages that are read. All others stay off, since GDAL hides errors of its own by a function that lets debug
// messages pass to the user: those of requests for credentials have secrets.
constexpr const char* kWatchedCategories = "CURL_INFO_HEADER_IN,S3,GS,AZURE,ADLS,OSS,SWIFT";

bool IsDebugging() {
  const char* setting = CPLGetConfigOption("CPL_DEBUG", nullptr);
  return setting && !EQUAL(setting, "OFF") && !EQUAL(setting, "NO") && !EQUAL(setting, "FALSE");
}

/// Returns the text between two other strings, or "" if they are missing.
std::string_view GetBetween(std::string_view text, std::string_view first, std::string_view last) {
  const std::size_t begin = text.find(first);
  if (begin == text.npos) return {};
  const std::size_t end = text.find(last, begin + first.size());
  return end == text.npos ? std::string_view() : text.substr(begin + first.size(), end - begin - first.size());
}

}  // namespace

bool AnswerWatch::Works() {
  return !IsDebugging();
}

AnswerWatch::AnswerWatch(const std::string& path) {
  if (IsDebugging() || !FindLackOfCredentials(path).empty()) return;
  debug_.emplace("CPL_DEBUG", kWatchedCategories, false);
  verbose_.emplace("CPL_CURL_VERBOSE", "YES", false);
  CPLPushErrorHandlerEx(&AnswerWatch::Note, this);
}

AnswerWatch::~AnswerWatch() {
  if (!debug_) return;
  CPLPopErrorHandler();
  verbose_.reset();
  debug_.reset();
  for (const Raised& raised : raised_) CPLError(raised.level, raised.number, "%s", raised.message.c_str());
  if (lacked_memory_) CPLError(CE_Failure, CPLE_OutOfMemory, "there is no memory for what the server has answered");
}

void CPL_STDCALL AnswerWatch::Note(CPLErr level, CPLErrorNum number, const char* message) {
  auto* self = static_cast<AnswerWatch*>(CPLGetErrorHandlerUserData());
  try {
    if (level == CE_Debug) return self->NoteDebug(message);
    self->raised_.push_back({level, number, message + (level < CE_Failure ? "" : self->GetAnswer())});
  } catch (const std::exception&) {
    self->lacked_memory_ = true;  // GDAL does not let exceptions pass
  }
}

void AnswerWatch::NoteDebug(std::string_view message) {
  // The message may have a time before the category.
  if (const std::size_t header = message.find(kHeader); header != message.npos) {
    std::string_view status = message.substr(header + kHeader.size());
    status = status.substr(std::min(status.find(' ') + 1, status.size()));
    status_ = status.substr(0, status.find_last_not_of("\r\n ") + 1);
    reason_.clear();
  } else if (const std::string_view code = GetBetween(message, "<Code>", "</Code>"); !code.empty()) {
    reason_ = code;
  }
}

std::string AnswerWatch::GetAnswer() const {
  const bool is_failure = status_.starts_with('4') || status_.starts_with('5');
  if (!is_failure) return {};
  const std::size_t space = status_.find(' ');
  std::string answer = ": HTTP response code: " + status_.substr(0, space);
  if (space != status_.npos) answer += " (" + status_.substr(space + 1) + ")";
  return reason_.empty() ? answer : answer + ", " + reason_;
}

}  // namespace gdal_zarr
