// SPDX-License-Identifier: MIT
#include "driver/stores/http/http_value.h"

#include <cpl_error.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <optional>
#include <utility>

#include "driver/stores/http/http_client.h"
#include "driver/stores/http/merge_ranges.h"
#include "driver/stores/http/object_url.h"
#include "zarrlib/store/wanted_ranges.h"

namespace gdal_zarr {
namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;  // in a second
/// Seconds after which another change of a value is sure to change its time, which has a resolution of one second and
/// comes from the server's clock.
constexpr std::int64_t kSettledAfter = 60;
/// Some servers cannot send the last bytes of a value before its size is known. That many bytes come with the size.
constexpr std::uint64_t kSmallValue = std::uint64_t{64} << 10;
constexpr int kUnauthorized = 401;
constexpr int kForbidden = 403;
/// Maximum number of attempts to read several parts of a value that changes in the meantime.
constexpr int kTries = 10;

/// Copies the parts of a merged range into their buffers.
void Distribute(const MergedRange& merged, const zarr::Bytes& bytes, std::span<const zarr::ByteRange> ranges,
                std::span<const zarr::MutableByteSpan> buffers) {
  for (const std::size_t member : merged.members) {
    const std::uint64_t offset = ranges[member].offset - merged.range.offset;
    std::memcpy(buffers[member].data(), bytes.data() + offset, buffers[member].size());
  }
}

std::string FormatRange(const zarr::ByteRange& range) {
  return "bytes " + std::to_string(range.offset) + " + " + std::to_string(range.length);
}

zarr::VersionStamp MakeStamp(const CurlLibrary& curl, const HttpTransfer& transfer) {
  const AnswerHead& head = transfer.head();
  zarr::VersionStamp stamp;
  stamp.size = transfer.value_size().value_or(0);
  stamp.tag = head.etag;
  stamp.condition = head.generation.empty() ? head.etag : head.generation;
  stamp.status = static_cast<std::uint16_t>(head.status);
  const std::int64_t time = head.last_modified.empty() ? -1 : curl.getdate(head.last_modified.c_str(), nullptr);
  if (time > 0) stamp.time = time * kNanoseconds;
  // Some servers make tags from the size and the time, with a resolution of one second.
  stamp.settled =
      time > 0 ? std::time(nullptr) - time > kSettledAfter : !head.etag.empty() && !head.etag.starts_with("W/");
  return stamp;
}

/// Reports a completed request in GDAL's debug messages and for ZARR_DEBUG.
void NoteRequest(const HttpAddress& address, const Wanted& wanted, const HttpTransfer& transfer) {
  const std::string range =
      wanted.kind == Wanted::Kind::kWhole ? ""
      : wanted.kind == Wanted::Kind::kSuffix
          ? " bytes=-" + std::to_string(wanted.length)
          : " bytes=" + std::to_string(wanted.offset) + "-" + std::to_string(wanted.offset + wanted.length - 1);
  const int status = transfer.head().status;
  CPLDebug("ZARR", "GET %s%s: %d", HidePrivateParts(address.url).c_str(), range.c_str(), status);
  if (!address.log->prints()) return;
  const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(transfer.duration());
  address.log->Print("GET " + address.key + range + ": " + (status == 0 ? "no answer" : std::to_string(status)) + ", " +
                     std::to_string(transfer.received()) + " bytes, " + std::to_string(time.count()) + " ms");
}

bool IsRefused(const HttpTransfer& transfer) {
  return transfer.failed_status() == kUnauthorized || transfer.failed_status() == kForbidden;
}

zarr::EarlyAnswer::State FindState(const HttpTransfer& transfer) {
  using State = zarr::EarlyAnswer::State;
  switch (transfer.outcome()) {
    case HttpTransfer::Outcome::kDone:
      return State::kFound;
    case HttpTransfer::Outcome::kAbsent:
      return State::kAbsent;
    case HttpTransfer::Outcome::kUnchanged:
      return State::kUnchanged;
    default:
      return State::kUnknown;
  }
}

}  // namespace

std::string FormatOrigin(const HttpAddress& address, int status) {
  return "HTTP response code: " + std::to_string(status == 0 ? kHttpOk : status) + ", for " +
         HidePrivateParts(address.url);
}

std::vector<zarr::EarlyAnswer> FetchTogether(const CurlLibrary& curl, std::span<const EarlyValue> wanted) {
  using State = zarr::EarlyAnswer::State;
  std::vector<zarr::EarlyAnswer> values(wanted.size());
  std::vector<std::unique_ptr<HttpTransfer>> transfers;
  std::vector<HttpTransfer*> sent;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const HttpAddress& address = wanted[i].address;
    const Wanted whole{Wanted::Kind::kWhole, 0, wanted[i].max_size, wanted[i].known_tag};
    transfers.push_back(std::make_unique<HttpTransfer>(curl, address.url, address.settings, whole,
                                                       zarr::MutableByteSpan(), &values[i].value));
    transfers.back()->CountIn(address.log);
    sent.push_back(transfers.back().get());
  }
  if (sent.empty()) return values;
  HttpClient::Get(curl).Perform(sent, wanted[0].address.settings.most_in_flight);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const HttpTransfer& transfer = *transfers[i];
    transfer.Rethrow();
    NoteRequest(wanted[i].address, {}, transfer);
    values[i].state = FindState(transfer);
    if (values[i].state == State::kUnknown) {
      values[i].refusal = HttpValue(curl, wanted[i].address).FindRefusal(transfer);
    }
    values[i].stamp = MakeStamp(curl, transfer);
    values[i].stamp.size = values[i].value.size();
    if (values[i].state == State::kFound && values[i].stamp.settled) values[i].known_tag = transfer.head().etag;
  }
  return values;
}

bool HttpValue::Read(const zarr::ReadRequest& request) const {
  using Part = zarr::ReadRequest::Part;
  zarr::VersionStamp unused;
  switch (request.part) {
    case Part::kWhole:
      if (zarr::IsForPrefix(request)) return GetPrefix(request.length, request.value, request.stamp);
      return Get(request.value, request.stamp, request.max_size);
    case Part::kRanges:
      return GetRanges(request.ranges, request.buffers, request.stamp);
    case Part::kSuffix:
      return GetSuffix(request.length, request.value, request.stamp);
    default:
      return GetStamp(request.stamp ? request.stamp : &unused);
  }
}

std::exception_ptr HttpValue::FindRefusal(const HttpTransfer& transfer) const {
  if (!IsRefused(transfer) || IsSentAgain(transfer, 0)) return nullptr;
  try {
    FailTransfer(transfer);
  } catch (const NeedsGdal&) {
    return nullptr;
  } catch (const zarr::Error&) {
    return std::current_exception();
  }
}

/// A request, and the destination of its bytes: `buffer` or `body`.
struct HttpValue::Job {
  Wanted wanted;
  zarr::MutableByteSpan buffer{};
  zarr::Bytes* body = nullptr;
  std::unique_ptr<HttpTransfer> transfer{};

  bool failed() const { return transfer->outcome() == HttpTransfer::Outcome::kFailed; }
  bool absent() const { return transfer->outcome() == HttpTransfer::Outcome::kAbsent; }
  bool is_beyond_end() const { return transfer->outcome() == HttpTransfer::Outcome::kBeyondEnd; }
};

void HttpValue::Send(std::span<Job> jobs) const {
  for (int tries = 0;; ++tries) {
    std::vector<HttpTransfer*> sent;
    for (Job& job : jobs) {
      if (job.transfer && !job.failed()) continue;
      job.transfer =
          std::make_unique<HttpTransfer>(curl_, address_.url, address_.settings, job.wanted, job.buffer, job.body);
      job.transfer->CountIn(address_.log);
      sent.push_back(job.transfer.get());
    }
    if (tries > 0) address_.log->CountRetries(sent.size());
    HttpClient::Get(curl_).Perform(sent, address_.settings.most_in_flight);
    bool failed = false;
    for (Job& job : jobs) {
      if (std::find(sent.begin(), sent.end(), job.transfer.get()) == sent.end()) continue;
      Note(job);
      if (job.transfer->may_be_part() && !HasSize(*job.transfer->value_size())) {
        job.transfer->Reject("the server sends a part of the value as if it were the whole");
      }
      failed = failed || job.failed();
      if (job.failed() && !IsSentAgain(*job.transfer, tries)) FailTransfer(*job.transfer);
    }
    if (!failed) return;
    WaitForRetry(address_.settings.retry, tries + 1);
  }
}

bool HttpValue::IsSentAgain(const HttpTransfer& transfer, int tries) const {
  const RetryRule& rule = address_.settings.retry;
  return tries < rule.most && IsRetried(rule, transfer.failed_status(), transfer.error_text());
}

bool HttpValue::HasSize(std::uint64_t size) const {
  zarr::Bytes value;
  Job job{.wanted = {Wanted::Kind::kWhole, 0, size}, .body = &value};
  Send({&job, 1});
  return job.transfer->outcome() == HttpTransfer::Outcome::kDone && value.size() == size;
}

void HttpValue::Note(const Job& job) const {
  job.transfer->Rethrow();
  NoteRequest(address_, job.wanted, *job.transfer);
}

bool HttpValue::Get(zarr::Bytes* value, zarr::VersionStamp* stamp, std::uint64_t max_size) const {
  Job job{.wanted = {Wanted::Kind::kWhole, 0, max_size}, .body = value};
  Send({&job, 1});
  if (job.absent()) return false;
  if (job.transfer->outcome() == HttpTransfer::Outcome::kTooLarge) {
    const auto size = job.transfer->value_size();
    Fail(zarr::ErrorKind::kLimitExceeded, zarr::FormatExpectedGot("at most " + std::to_string(max_size) + " bytes",
                                                                  size ? std::to_string(*size) : "more") +
                                              " (" + FormatOrigin(address_, job.transfer->head().status) + ")");
  }
  if (stamp) *stamp = MakeStamp(curl_, *job.transfer);
  if (stamp) stamp->size = value->size();
  return true;
}

bool HttpValue::GetRanges(std::span<const zarr::ByteRange> ranges, std::span<const zarr::MutableByteSpan> buffers,
                          zarr::VersionStamp* stamp) const {
  for (int i = 0; i < kTries; ++i) {
    bool same = true;
    const bool found = GetRangesOnce(ranges, buffers, stamp, &same);
    if (same) return found;
  }
  FailChanging();
}

bool HttpValue::GetRangesOnce(std::span<const zarr::ByteRange> ranges, std::span<const zarr::MutableByteSpan> buffers,
                              zarr::VersionStamp* stamp, bool* same) const {
  for (const zarr::ByteRange& range : ranges) {
    if (range.length > UINT64_MAX - range.offset) {
      Fail(zarr::ErrorKind::kCorrupt, FormatRange(range) + " of a value of fewer bytes");
    }
  }
  const std::vector<MergedRange> merged = MergeRanges(ranges);
  if (merged.empty()) {
    zarr::VersionStamp unused;
    return GetStamp(stamp ? stamp : &unused);
  }
  std::vector<zarr::Bytes> bytes(merged.size());
  std::vector<Job> jobs(merged.size());
  for (std::size_t i = 0; i < merged.size(); ++i) {
    jobs[i].wanted = {Wanted::Kind::kRange, merged[i].range.offset, merged[i].range.length};
    if (merged[i].members.size() > 1) jobs[i].body = &bytes[i];
    if (!jobs[i].body) jobs[i].buffer = buffers[merged[i].members[0]];
  }
  Send(jobs);
  const zarr::VersionStamp first = MakeStamp(curl_, *jobs[0].transfer);
  for (const Job& job : jobs) {
    *same = *same && job.absent() == jobs[0].absent() && (job.absent() || MakeStamp(curl_, *job.transfer) == first);
  }
  if (!*same || jobs[0].absent()) return false;
  for (std::size_t i = 0; i < merged.size(); ++i) {
    if (jobs[i].is_beyond_end()) FailBeyondEnd(jobs[i]);
    if (jobs[i].body) Distribute(merged[i], bytes[i], ranges, buffers);
  }
  if (!stamp) return true;
  *stamp = first;
  if (jobs[0].transfer->value_size()) return true;
  // The server does not send the size of the value with a range, but does with a suffix.
  zarr::Bytes last;
  const bool found = GetSuffix(1, &last, stamp);
  *same = found && stamp->tag == first.tag && stamp->time == first.time;
  return found;
}

bool HttpValue::GetPrefix(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const {
  zarr::VersionStamp unused;
  if (!stamp) stamp = &unused;
  for (int i = 0; i < kTries; ++i) {
    zarr::VersionStamp first;
    if (!GetPrefixOnce(length, value, &first)) return false;
    *stamp = first;
    if (first.size > 0 || value->empty()) return true;
    // As for ranges: the server sends the size with a suffix.
    zarr::Bytes last;
    if (!GetSuffix(1, &last, stamp)) return false;
    const bool is_same = stamp->tag == first.tag && stamp->time == first.time;
    if (is_same && value->size() == std::min(stamp->size, length)) return true;
  }
  FailChanging();
}

bool HttpValue::GetPrefixOnce(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const {
  Job job{.wanted = {Wanted::Kind::kPrefix, 0, length}, .body = value};
  Send({&job, 1});
  if (job.absent()) return false;
  *stamp = MakeStamp(curl_, *job.transfer);
  return true;
}

bool HttpValue::GetSuffix(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const {
  if (length == 0) {
    value->clear();
    zarr::VersionStamp unused;
    return GetStamp(stamp ? stamp : &unused);
  }
  if (!HasSuffixRanges(address_.path)) return GetSuffixInTwo(length, value, stamp);
  Job job{.wanted = {Wanted::Kind::kSuffix, 0, length}, .body = value};
  Send({&job, 1});
  if (job.absent()) return false;
  if (job.transfer->outcome() == HttpTransfer::Outcome::kNoSuffix) {
    return GetEnd(MakeStamp(curl_, *job.transfer), length, value, stamp) || GetSuffixInTwo(length, value, stamp);
  }
  if (stamp) *stamp = MakeStamp(curl_, *job.transfer);
  return true;
}

bool HttpValue::GetSuffixInTwo(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const {
  for (int i = 0; i < kTries; ++i) {
    zarr::VersionStamp before;
    if (!GetPrefixOnce(std::min(length, kSmallValue), value, &before)) return false;
    if (stamp) *stamp = before;
    if (value->size() == before.size) return true;
    if (GetEnd(before, length, value, stamp)) return true;
  }
  FailChanging();
}

bool HttpValue::GetEnd(const zarr::VersionStamp& before, std::uint64_t length, zarr::Bytes* value,
                       zarr::VersionStamp* stamp) const {
  value->resize(static_cast<std::size_t>(std::min(before.size, length)));
  if (stamp) *stamp = before;
  if (value->empty()) return true;
  const zarr::ByteRange range{before.size - value->size(), value->size()};
  const zarr::MutableByteSpan buffer(value->data(), value->size());
  zarr::VersionStamp after;
  bool same = true;
  return GetRangesOnce({&range, 1}, {&buffer, 1}, &after, &same) && same && before == after;
}

bool HttpValue::GetStamp(zarr::VersionStamp* stamp) const {
  std::byte first{};
  Job job{.wanted = {Wanted::Kind::kRange, 0, 1}, .buffer = {&first, 1}};
  Send({&job, 1});
  if (job.absent()) return false;
  *stamp = MakeStamp(curl_, *job.transfer);
  return true;
}

void HttpValue::Fail(zarr::ErrorKind kind, const std::string& message) const {
  throw zarr::Error(kind, address_.store, address_.key, "", message);
}

void HttpValue::FailTransfer(const HttpTransfer& transfer) const {
  if (MayBeElsewhere(address_.path, transfer.failed_status(), transfer.error_text())) throw NeedsGdal();
  const bool has_answer = transfer.failed_status() == 0 && transfer.head().status != 0;
  const zarr::Error error(zarr::ErrorKind::kIo, address_.store, address_.key, "",
                          (has_answer ? "cannot be read: " : "cannot be opened: ") + transfer.GetReason() + ", for " +
                              HidePrivateParts(address_.url));
  throw IsRefused(transfer) ? error.AsRefusal() : error;
}

void HttpValue::FailBeyondEnd(const Job& job) const {
  const auto size = job.transfer->value_size();
  Fail(zarr::ErrorKind::kCorrupt, FormatRange({job.wanted.offset, job.wanted.length}) + " of a value of " +
                                      (size ? std::to_string(*size) : std::string("fewer")) + " bytes (" +
                                      FormatOrigin(address_, job.transfer->head().status) + ")");
}

void HttpValue::FailChanging() const {
  Fail(zarr::ErrorKind::kIo, "the value changes all the time while it is read, for " + HidePrivateParts(address_.url));
}

}  // namespace gdal_zarr
