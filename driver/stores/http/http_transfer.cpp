// SPDX-License-Identifier: MIT
#include "driver/stores/http/http_transfer.h"

#include <cpl_conv.h>
#include <cpl_http.h>

#include <algorithm>
#include <cstring>
#include <list>
#include <new>
#include <utility>

#include "driver/gdal/text.h"

namespace gdal_zarr {
namespace {

constexpr int kPart = 206;
constexpr int kNotModified = 304;
constexpr int kNotFound = 404;
constexpr int kGone = 410;
constexpr int kNoSuchRange = 416;

constexpr std::size_t kLongestErrorText = 4096;
/// A server that ignores ranges sends values from the beginning. At most this number of bytes is skipped.
constexpr std::uint64_t kMostSkipped = std::uint64_t{256} << 20;
/// Maximum memory allocated because of a header, before the bytes arrive.
constexpr std::uint64_t kTrustedLength = std::uint64_t{64} << 20;

std::string FormatRange(std::uint64_t first, std::uint64_t last) {
  return "bytes " + std::to_string(first) + "-" + std::to_string(last);
}

/// Makes GDAL set a handle's options. Returns the headers of the request.
curl_slist* Configure(CURL* handle, const std::string& url, const HttpSettings& settings) {
  std::list<CPLConfigOptionSetter> of_path;
  for (const auto& [name, value] : settings.of_path) of_path.emplace_back(name, value.c_str(), false);
  return static_cast<curl_slist*>(CPLHTTPSetOptions(handle, url.c_str(), settings.options.List()));
}

/// Returns the code in the XML text with which object stores explain a failure, or "" if there is none.
std::string FindErrorCode(const std::string& text) {
  const std::size_t begin = text.find("<Code>");
  if (begin == text.npos) return "";
  const std::size_t end = text.find("</Code>", begin);
  return end == text.npos ? "" : text.substr(begin + 6, end - begin - 6);
}

}  // namespace

HttpTransfer::HttpTransfer(const CurlLibrary& curl, const std::string& url, const HttpSettings& settings,
                           const Wanted& wanted, zarr::MutableByteSpan buffer, zarr::Bytes* body)
    : curl_(curl), handle_(curl.easy_init()), wanted_(wanted), buffer_(buffer), body_(body) {
  if (!handle_) throw std::bad_alloc();
  try {
    SetUp(url, settings);
  } catch (...) {
    curl_.easy_cleanup(handle_);
    throw;
  }
}

HttpTransfer::~HttpTransfer() {
  curl_.easy_cleanup(handle_);
  if (headers_) curl_.slist_free_all(headers_);
}

void HttpTransfer::SetUp(const std::string& url, const HttpSettings& settings) {
  headers_ = Configure(handle_, url, settings);
  const auto set = [this](CURLoption option, auto value) { curl_.easy_setopt(handle_, option, value); };
  if (!wanted_.known_tag.empty()) AddHeader("If-None-Match: " + wanted_.known_tag);
  if (headers_) set(CURLOPT_HTTPHEADER, headers_);
  if (settings.path_verbatim) set(CURLOPT_PATH_AS_IS, 1L);
  set(CURLOPT_ERRORBUFFER, curl_error_.data());
  set(CURLOPT_HEADERFUNCTION, &OnHeader);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &OnBody);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(CURLOPT_PRIVATE, static_cast<void*>(this));
  // Waits for the first connection to a server, which may carry all requests. Plain HTTP/1 does not benefit from that.
  if (url.starts_with("https://")) set(CURLOPT_PIPEWAIT, 1L);
  if (wanted_.kind == Wanted::Kind::kWhole) return;
  const std::string range =
      wanted_.kind == Wanted::Kind::kSuffix
          ? "-" + std::to_string(wanted_.length)
          : std::to_string(wanted_.offset) + "-" + std::to_string(wanted_.offset + wanted_.length - 1);
  set(CURLOPT_RANGE, range.c_str());
}

void HttpTransfer::AddHeader(const std::string& header) {
  curl_slist* const longer = curl_.slist_append(headers_, header.c_str());
  if (!longer) throw std::bad_alloc();
  headers_ = longer;
}

void HttpTransfer::Begin() noexcept {
  sent_at_ = RequestLog::Clock::now();
  if (log_) log_->Begin(sent_at_);
}

// --- while the answer arrives ------------------------------------------------------------------------------------

std::size_t HttpTransfer::OnHeader(char* data, std::size_t size, std::size_t count, void* self) {
  auto* const transfer = static_cast<HttpTransfer*>(self);
  try {
    transfer->ReadHeader({data, size * count});
    return size * count;
  } catch (...) {
    transfer->error_ = std::current_exception();
    return 0;
  }
}

std::size_t HttpTransfer::OnBody(char* data, std::size_t size, std::size_t count, void* self) {
  auto* const transfer = static_cast<HttpTransfer*>(self);
  try {
    const bool going = transfer->TakeBody({reinterpret_cast<const std::byte*>(data), size * count});
    return going ? size * count : size * count + 1;  // any other number aborts the request
  } catch (...) {
    transfer->error_ = std::current_exception();
    return size * count + 1;
  }
}

void HttpTransfer::ReadHeader(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  if (line.starts_with("HTTP/")) {
    head_ = {};  // discards the head of a redirect or of a proxy
    const std::size_t space = line.find(' ');
    if (space == line.npos) return;
    line.remove_prefix(space + 1);
    head_.status = static_cast<int>(ParseLength(line.substr(0, 3)).value_or(0));
    if (line.size() > 4) head_.reason = line.substr(4);
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == line.npos) return;
  const std::string_view name = line.substr(0, colon);
  std::string_view value = line.substr(colon + 1);
  while (value.starts_with(' ')) value.remove_prefix(1);
  if (IsEqualIgnoringCase(name, "ETag")) head_.etag = value;
  if (IsEqualIgnoringCase(name, "Last-Modified")) head_.last_modified = value;
  if (IsEqualIgnoringCase(name, "Content-Length")) head_.content_length = ParseLength(value);
  if (IsEqualIgnoringCase(name, "Content-Range")) head_.content_range = value;
  if (IsEqualIgnoringCase(name, kGenerationHeader)) head_.generation = value;
}

bool HttpTransfer::TakeBody(zarr::ByteSpan data) {
  received_ += data.size();
  if (use_ == BodyUse::kUnknown && !BeginBody()) return false;
  if (use_ == BodyUse::kValue) return end_ ? TakeValue(data) : TakeAll(data);
  const std::size_t taken = std::min(data.size(), kLongestErrorText - error_text_.size());
  error_text_.append(reinterpret_cast<const char*>(data.data()), taken);
  return true;
}

bool HttpTransfer::BeginBody() {
  use_ = BodyUse::kErrorText;
  if (head_.status == kHttpOk) return BeginWholeBody();
  if (head_.status == kPart && wanted_.kind != Wanted::Kind::kWhole) return BeginPart();
  return true;
}

bool HttpTransfer::BeginWholeBody() {
  use_ = BodyUse::kValue;
  value_size_ = head_.content_length;
  if (wanted_.kind == Wanted::Kind::kRange) {
    if (value_size_ && *value_size_ < wanted_.offset + wanted_.length) return End(Outcome::kBeyondEnd);
    if (wanted_.offset > kMostSkipped) {
      return Fail("the server sends the whole value instead of " +
                  FormatRange(wanted_.offset, wanted_.offset + wanted_.length - 1));
    }
    Expect(wanted_.offset, wanted_.offset + wanted_.length);
  } else if (wanted_.kind == Wanted::Kind::kWhole) {
    if (value_size_ && *value_size_ > wanted_.length) return End(Outcome::kTooLarge);
    body_->clear();
    body_->reserve(static_cast<std::size_t>(std::min(value_size_.value_or(0), kTrustedLength)));
  } else if (value_size_ && wanted_.kind == Wanted::Kind::kPrefix) {
    Expect(0, std::min(*value_size_, wanted_.length));
  } else if (value_size_) {
    if (*value_size_ > kMostSkipped && *value_size_ > wanted_.length) {
      return Fail("the server sends the whole value instead of its last " + std::to_string(wanted_.length) + " bytes");
    }
    Expect(*value_size_ - std::min(*value_size_, wanted_.length), *value_size_);
  } else {
    body_->clear();
  }
  return true;
}

bool HttpTransfer::BeginPart() {
  const auto range = ParseContentRange(head_.content_range);
  if (!range || !range->satisfied) {
    return Fail("the server sends a part of the value, but tells its range as \"" + head_.content_range + "\"");
  }
  if (head_.content_length && *head_.content_length != range->last - range->first + 1) {
    return Fail("the server sends " + std::to_string(*head_.content_length) + " bytes for the range \"" +
                head_.content_range + "\"");
  }
  use_ = BodyUse::kValue;
  switch (wanted_.kind) {
    case Wanted::Kind::kPrefix:
      return BeginPrefix(*range);
    case Wanted::Kind::kSuffix:
      return BeginSuffix(*range);
    default:
      return BeginRange(*range);
  }
}

bool HttpTransfer::BeginRange(const ContentRange& range) {
  value_size_ = range.size;
  const std::uint64_t last = wanted_.offset + wanted_.length - 1;
  if (range.first == wanted_.offset && range.last < last && range.size == range.last + 1) {
    return End(Outcome::kBeyondEnd);
  }
  // Some servers send more than was requested.
  if (range.first > wanted_.offset || range.last < last || wanted_.offset - range.first > kMostSkipped) {
    return Fail("expected " + FormatRange(wanted_.offset, last) + ", got " + FormatRange(range.first, range.last));
  }
  Expect(wanted_.offset, last + 1);
  position_ = range.first;
  sent_end_ = range.last + 1;
  return true;
}

bool HttpTransfer::BeginPrefix(const ContentRange& range) {
  value_size_ = range.size;
  const std::uint64_t end = std::min(range.last + 1, wanted_.length);
  if (range.first > 0 || (end < wanted_.length && range.size.value_or(end) != end)) {
    return Fail("expected " + FormatRange(0, wanted_.length - 1) + ", got " + FormatRange(range.first, range.last));
  }
  Expect(0, end);
  sent_end_ = range.last + 1;
  return true;
}

bool HttpTransfer::BeginSuffix(const ContentRange& range) {
  value_size_ = range.last + 1;
  const std::uint64_t first = *value_size_ - std::min(*value_size_, wanted_.length);
  if (range.size && (range.first != first || *range.size != *value_size_)) {
    value_size_ = range.size;
    return End(Outcome::kNoSuffix);
  }
  if (range.first != first) {
    return Fail("expected the last " + std::to_string(wanted_.length) + " bytes, got \"" + head_.content_range + "\"");
  }
  Expect(range.first, range.last + 1);
  position_ = range.first;
  sent_end_ = range.last + 1;
  return true;
}

void HttpTransfer::Expect(std::uint64_t begin, std::uint64_t end) {
  begin_ = begin;
  end_ = end;
  if (body_) body_->resize(static_cast<std::size_t>(end - begin));
}

bool HttpTransfer::TakeValue(zarr::ByteSpan data) {
  std::byte* const target = body_ ? body_->data() : buffer_.data();
  const std::uint64_t next = position_ + data.size();
  if (head_.status == kPart && next > sent_end_) return Fail("the body is longer than its range");
  const std::uint64_t from = std::max(position_, begin_);
  const std::uint64_t until = std::min(next, *end_);
  if (from < until) std::memcpy(target + (from - begin_), data.data() + (from - position_), until - from);
  position_ = next;
  return next <= *end_ || End(Outcome::kDone);
}

/// Consumes bytes of a body of unknown length.
bool HttpTransfer::TakeAll(zarr::ByteSpan data) {
  if (wanted_.kind == Wanted::Kind::kPrefix) {
    const std::uint64_t taken = std::min<std::uint64_t>(data.size(), wanted_.length - body_->size());
    body_->insert(body_->end(), data.begin(), data.begin() + static_cast<std::ptrdiff_t>(taken));
    return taken == data.size() || End(Outcome::kDone);
  }
  const std::uint64_t most = wanted_.kind == Wanted::Kind::kWhole ? wanted_.length : kMostSkipped;
  if (body_->size() + data.size() > most) {
    if (wanted_.kind == Wanted::Kind::kWhole) return End(Outcome::kTooLarge);
    return Fail("the server sends the whole value instead of its end");
  }
  body_->insert(body_->end(), data.begin(), data.end());
  return true;
}

bool HttpTransfer::End(Outcome outcome) {
  outcome_ = outcome;
  is_judged_ = true;
  return false;
}

bool HttpTransfer::Fail(std::string reason) {
  reason_ = std::move(reason);
  return End(Outcome::kFailed);
}

// --- at the end --------------------------------------------------------------------------------------------------

void HttpTransfer::Finish(CURLcode code) noexcept {
  const RequestLog::Clock::time_point now = RequestLog::Clock::now();
  duration_ = now - sent_at_;
  if (log_) log_->End(sent_at_, now, received_);
  if (error_) return;
  try {
    Judge(code);
  } catch (...) {
    error_ = std::current_exception();
  }
}

void HttpTransfer::Judge(CURLcode code) {
  if (is_judged_) return;
  if (code == CURLE_OK && use_ == BodyUse::kUnknown && !BeginBody()) return;
  if (use_ == BodyUse::kErrorText) return JudgeStatus(code == CURLE_OK);
  if (code == CURLE_OK) return JudgeBody();
  reason_ = curl_error_[0] != '\0' ? curl_error_.data() : curl_.easy_strerror(code);
}

std::string HttpTransfer::GetReason() const {
  if (failed_status_ != 0 || head_.status == 0) return reason_;
  return reason_ + " (HTTP response code: " + std::to_string(head_.status) + ")";
}

bool HttpTransfer::may_be_part() const {
  const bool has_part = outcome_ == Outcome::kDone && wanted_.kind != Wanted::Kind::kWhole;
  return has_part && head_.status == kHttpOk && value_size_ == wanted_.length;
}

void HttpTransfer::Reject(std::string reason) {
  reason_ = std::move(reason);
  outcome_ = Outcome::kFailed;
}

void HttpTransfer::JudgeStatus(bool complete) {
  if (head_.status == kNotModified && !wanted_.known_tag.empty()) {
    outcome_ = Outcome::kUnchanged;
    return;
  }
  const std::string code = FindErrorCode(error_text_);
  const bool absent = head_.status == kNotFound || head_.status == kGone;
  if (absent && complete && code != "NoSuchBucket" && code != "ContainerNotFound") {
    outcome_ = Outcome::kAbsent;
    return;
  }
  if (absent && !complete) {
    reason_ = "the answer broke off";
    return;
  }
  if (head_.status == kNoSuchRange) return JudgeNoSuchRange();
  if (head_.status == kPart) {
    reason_ = "the server sends only a part of the value";
    return;
  }
  failed_status_ = head_.status;
  reason_ = "HTTP response code: " + std::to_string(head_.status);
  if (!head_.reason.empty()) reason_ += " (" + head_.reason + ")";
  if (!code.empty()) reason_ += ", " + code;
}

void HttpTransfer::JudgeNoSuchRange() {
  const auto range = ParseContentRange(head_.content_range);
  if (range) value_size_ = range->size;
  const bool is_range = wanted_.kind == Wanted::Kind::kRange;
  const bool has_range = is_range ? value_size_.value_or(0) >= wanted_.offset + wanted_.length : value_size_ > 0;
  if (wanted_.kind == Wanted::Kind::kWhole) {
    reason_ = "the server refuses a range, though the whole value was asked for";
  } else if (has_range) {
    reason_ = "the server refuses a range that the value has";
  } else if (is_range) {
    outcome_ = Outcome::kBeyondEnd;
  } else {
    // An empty value has no last bytes.
    body_->clear();
    value_size_ = 0;
    outcome_ = Outcome::kDone;
  }
}

void HttpTransfer::JudgeBody() {
  if (!end_) {
    value_size_ = body_->size();
    if (wanted_.kind == Wanted::Kind::kSuffix && body_->size() > wanted_.length) {
      body_->erase(body_->begin(), body_->end() - static_cast<std::ptrdiff_t>(wanted_.length));
    }
  } else if (position_ < *end_) {
    if (head_.status == kHttpOk && wanted_.kind == Wanted::Kind::kRange) {
      value_size_ = position_;
      outcome_ = Outcome::kBeyondEnd;
    } else {
      reason_ = "only " + std::to_string(std::max(position_, begin_) - begin_) + " of " +
                std::to_string(*end_ - begin_) + " bytes were sent";
    }
    return;
  }
  outcome_ = Outcome::kDone;
}

}  // namespace gdal_zarr
