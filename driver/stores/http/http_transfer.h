// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "driver/stores/http/content_range.h"
#include "driver/stores/http/curl_library.h"
#include "driver/stores/http/http_settings.h"
#include "driver/stores/request_log.h"
#include "zarrlib/base/bytes.h"

namespace gdal_zarr {

inline constexpr int kHttpOk = 200;  ///< HTTP's status of a response with the whole value.

/// The part of a value that a GET requests.
struct Wanted {
  enum class Kind {
    kWhole,   ///< Everything, but at most `length` bytes.
    kRange,   ///< `length` bytes from `offset` on; `length` must not be 0.
    kPrefix,  ///< The first `length` bytes, or all if there are fewer; `length` must not be 0.
    kSuffix,  ///< The last `length` bytes, or all if there are fewer.
  };
  Kind kind = Kind::kWhole;
  std::uint64_t offset = 0;
  std::uint64_t length = UINT64_MAX;
  /// The entity tag of a cached state of the whole value, which need not be sent again; empty if there is none.
  std::string known_tag = {};
};

/// The header in which Google Cloud Storage reports the number of an object's state.
inline constexpr const char* kGenerationHeader = "x-goog-generation";

/// The relevant headers of an answer.
struct AnswerHead {
  int status = 0;
  std::string reason;  ///< The text after the status, which HTTP/2 does not have.
  std::string etag;
  std::string last_modified;
  std::optional<std::uint64_t> content_length;
  std::string content_range;
  std::string generation;  ///< Of Google Cloud Storage.
};

/// One GET: its handle, and the answer received so far. The body is checked while it arrives, and only the wanted bytes
/// are kept.
class HttpTransfer {
 public:
  enum class Outcome {
    kDone,       ///< The wanted bytes have arrived.
    kAbsent,     ///< The server reports that there is no such value.
    kUnchanged,  ///< The value still has the known tag.
    kTooLarge,   ///< The whole value has more bytes than were wanted.
    kBeyondEnd,  ///< The range extends beyond the end of the value.
    kNoSuffix,   ///< The server does not support suffixes, but has sent the size of the value.
    kFailed,
  };

  /// Sets up a request with the settings, which must outlive the transfer. With a `buffer`, which must have the size of
  /// the wanted bytes, writes them there; otherwise to `body`.
  HttpTransfer(const CurlLibrary& curl, const std::string& url, const HttpSettings& settings, const Wanted& wanted,
               zarr::MutableByteSpan buffer, zarr::Bytes* body);
  ~HttpTransfer();
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  CURL* handle() const { return handle_; }
  /// Makes a log count the request. The log must outlive the transfer.
  void CountIn(RequestLog* log) { log_ = log; }
  /// Call this when the request is passed to libcurl.
  void Begin() noexcept;
  /// Call this once when libcurl has ended the request. Does not throw.
  void Finish(CURLcode code) noexcept;

  // --- after Finish ---
  /// Throws the error that occurred on this side, such as std::bad_alloc.
  void Rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }
  Outcome outcome() const { return outcome_; }
  const AnswerHead& head() const { return head_; }
  /// The size of the whole value, if known.
  std::optional<std::uint64_t> value_size() const { return value_size_; }
  /// Number of bytes of the body that have arrived.
  std::uint64_t received() const { return received_; }
  RequestLog::Clock::duration duration() const { return duration_; }
  /// Returns why the request failed, such as "HTTP response code: 500 (Internal Server Error)". Always contains the
  /// status, if there is one.
  std::string GetReason() const;
  /// The status, if it is the failure; 0 if the server could not be reached, or if its answer is wrong.
  int failed_status() const { return failed_status_; }
  /// Returns true if the status indicates the whole value, but the answer may be only the wanted part, because some
  /// proxies send parts this way. The size of the value is then unknown.
  bool may_be_part() const;
  /// Turns a successful answer into a failure.
  void Reject(std::string reason);
  /// The beginning of the body of a failed answer.
  const std::string& error_text() const { return error_text_; }

 private:
  enum class BodyUse { kUnknown, kValue, kErrorText };

  static std::size_t OnHeader(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t OnBody(char* data, std::size_t size, std::size_t count, void* self);

  void SetUp(const std::string& url, const HttpSettings& settings);
  void AddHeader(const std::string& header);
  void ReadHeader(std::string_view line);
  /// Decides what to do with the body. Returns false if it is not usable.
  bool BeginBody();
  bool BeginPart();
  bool BeginRange(const ContentRange& range);
  bool BeginPrefix(const ContentRange& range);
  bool BeginSuffix(const ContentRange& range);
  bool BeginWholeBody();
  /// Sets which bytes of the value are wanted, and allocates memory for them.
  void Expect(std::uint64_t begin, std::uint64_t end);
  /// Consumes the next bytes of the body. Returns false to end the transfer.
  bool TakeBody(zarr::ByteSpan data);
  bool TakeValue(zarr::ByteSpan data);
  bool TakeAll(zarr::ByteSpan data);
  void Judge(CURLcode code);
  void JudgeStatus(bool complete);
  void JudgeNoSuchRange();
  void JudgeBody();
  bool End(Outcome outcome);
  bool Fail(std::string reason);

  const CurlLibrary& curl_;
  CURL* handle_;
  curl_slist* headers_ = nullptr;
  const Wanted wanted_;
  const zarr::MutableByteSpan buffer_;
  zarr::Bytes* const body_;
  std::array<char, CURL_ERROR_SIZE> curl_error_{};

  RequestLog* log_ = nullptr;
  RequestLog::Clock::time_point sent_at_;
  RequestLog::Clock::duration duration_{};
  std::uint64_t received_ = 0;

  AnswerHead head_;
  BodyUse use_ = BodyUse::kUnknown;
  std::uint64_t position_ = 0;        // position in the value of the next byte of the body
  std::uint64_t sent_end_ = 0;        // end of the range that is sent, if it is a part
  std::optional<std::uint64_t> end_;  // end of the wanted bytes in the value, once known
  std::uint64_t begin_ = 0;           // beginning of the wanted bytes in the value
  bool is_judged_ = false;            // the outcome is known, and the rest of the body is not needed
  std::exception_ptr error_;          // thrown by a callback
  Outcome outcome_ = Outcome::kFailed;
  std::optional<std::uint64_t> value_size_;
  std::string reason_;  // without the status, unless it is the failure
  int failed_status_ = 0;
  std::string error_text_;
};

}  // namespace gdal_zarr
