// SPDX-License-Identifier: MIT
#include "driver/stores/network_listing.h"

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "driver/stores/credentials.h"
#include "driver/stores/http/http_settings.h"
#include "driver/stores/http/object_url.h"
#include "driver/stores/network_settings.h"
#include "zarrlib/base/compiler/thread_value.h"
#include "zarrlib/base/error.h"

namespace gdal_zarr {
namespace {

constexpr int kOk = 200;
constexpr int kFirstFailure = 400;
constexpr int kBadRequest = 400;

/// The categories of debug messages from GDAL's object stores.
constexpr std::string_view kCategories[] = {"S3: ", "GS: ", "AZURE: ", "ADLS: ", "OSS: ", "SWIFT: "};

// The messages that are read. All others stay off, since GDAL hides errors of its own by a function that lets debug
// messages pass to the user.
constexpr const char* kSeenCategories =
    "CURL_INFO_HEADER_IN,CURL_INFO_HEADER_OUT,CURL_INFO_TEXT,S3,GS,AZURE,ADLS,OSS,SWIFT";

constexpr std::string_view kAnswer = "CURL_INFO_HEADER_IN: HTTP/";
constexpr std::string_view kRequest = "CURL_INFO_HEADER_OUT: ";
constexpr std::string_view kHead = "CURL_INFO_HEADER_OUT: HEAD";
constexpr std::string_view kConnecting = "CURL_INFO_TEXT:   Trying";
constexpr std::string_view kOfCurl = "CURL_INFO_";

/// Returns the text between two other strings, or "".
std::string FindBetween(std::string_view text, std::string_view before, std::string_view behind) {
  const std::size_t begin = text.find(before);
  const std::size_t end = begin == text.npos ? begin : text.find(behind, begin + before.size());
  return end == text.npos ? "" : std::string(text.substr(begin + before.size(), end - begin - before.size()));
}

/// Watches GDAL's messages on this thread: errors, debug messages of object stores, and the status of the last answer.
class MessageWatch {
 public:
  MessageWatch() : debug_("CPL_DEBUG", kSeenCategories, false), verbose_("CPL_CURL_VERBOSE", "YES", false) {
    CPLPushErrorHandlerEx(&MessageWatch::Note, this);
  }
  ~MessageWatch() { CPLPopErrorHandler(); }
  MessageWatch(const MessageWatch&) = delete;
  MessageWatch& operator=(const MessageWatch&) = delete;

  bool noted() const { return noted_; }
  /// Returns true if a request was sent, or a connection attempted.
  bool asked() const { return asked_; }
  /// Returns the status of the last answer, or 0 if there was none.
  int status() const { return status_; }
  /// Returns the status line of the last answer, with the server's explanation.
  std::string GetReason() const {
    if (status_ == 0) return said_.empty() ? "the server has not answered" : said_;
    return "HTTP response code: " + status_line_ + (said_.empty() ? "" : ", " + said_);
  }

 private:
  static void CPL_STDCALL Note(CPLErr level, CPLErrorNum, const char* message) {
    auto* self = static_cast<MessageWatch*>(CPLGetErrorHandlerUserData());
    try {
      self->Read(level, message);
    } catch (const std::exception&) {
      self->noted_ = true;  // GDAL does not let exceptions pass; the unread message may be a failure
    }
  }

  // The message may have a time before the category.
  void Read(CPLErr level, std::string_view text) {
    const auto is_of = [&](std::string_view category) { return text.find(category) != text.npos; };
    if (is_of(kRequest)) is_head_ = is_of(kHead);
    if (is_of(kAnswer) && !is_head_) return ReadAnswer(text.substr(text.find(kAnswer) + kAnswer.size()));
    // A connection does not end what is known: it may be for the HEAD.
    if (is_of(kConnecting)) asked_ = true;
    if (is_of(kRequest) && !is_head_) {
      asked_ = true;
      status_ = 0;
    }
    if (is_of(kOfCurl)) return;
    if (level < CE_Warning && std::ranges::none_of(kCategories, is_of)) return;
    noted_ = true;
    const std::string code = FindBetween(text, "<Code>", "</Code>");
    if (level >= CE_Warning || !code.empty()) said_ = code.empty() ? std::string(text) : code;
  }

  /// Parses the rest of a line such as "HTTP/1.1 500 Internal Server Error".
  void ReadAnswer(std::string_view line) {
    line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == '\n' || line.back() == ' ')) line.remove_suffix(1);
    status_ = std::atoi(std::string(line).c_str());
    const std::size_t space = line.find(' ');
    status_line_ = line.substr(0, space);
    if (space != line.npos) status_line_ += " (" + std::string(line.substr(space + 1)) + ")";
  }

  bool noted_ = false;
  bool asked_ = false;
  bool is_head_ = false;  // GDAL looks up a file after it did not find a list
  int status_ = 0;
  std::string status_line_;
  std::string said_;
  CPLConfigOptionSetter debug_;
  CPLConfigOptionSetter verbose_;
};

/// Number of changes that this process has made in remote stores.
std::atomic<std::uint64_t> changes = 0;

/// A folder that was empty.
struct EmptyPlace {
  std::string path;
  std::string settings;
  std::uint64_t changes = 0;
  std::chrono::steady_clock::time_point seen;

  bool IsStill(const EmptyPlace& now) const {
    constexpr std::chrono::milliseconds kMoment{500};
    return path == now.path && settings == now.settings && changes == now.changes && now.seen - seen < kMoment;
  }
};

/// The result of one attempt to list.
struct ListingAttempt {
  std::vector<ListedEntry> entries;
  bool complete = false;  ///< True if no entries are missing.
  bool asked = false;     ///< True if a request was sent.
  int status = 0;         ///< The status of the last answer; 0 if there was none.
  std::string reason;     ///< Why it is not complete.
  bool too_many = false;
  bool lacks_credentials = false;
};

/// Returns true if GDAL lists a path by requests alone. /vsiswift/ lists what it remembers.
bool AsksForEachList(const std::string& path) {
  return IsInObjectStore(path) && !path.starts_with("/vsiswift/");
}

/// Returns true if a listing is known to be complete. For an object store, that is the case if it has answered, and
/// GDAL did not raise any messages: it raises some only once. For other servers, GDAL returns a folder without entries
/// if it cannot parse the page.
bool IsComplete(const std::string& path, const MessageWatch& watch, const ListingAttempt& attempt) {
  if (watch.noted()) return false;
  if (AsksForEachList(path)) return watch.status() >= kOk && watch.status() < kFirstFailure;
  return IsInObjectStore(path) || (watch.status() < kFirstFailure && !attempt.entries.empty());
}

ListingAttempt ListOnce(const std::string& path, bool recursive, const std::string& start,
                        std::size_t most = SIZE_MAX) {
  CPLStringList options;
  options.SetNameValue("NAME_AND_TYPE_ONLY", "YES");
  options.SetNameValue("CACHE_ENTRIES", "NO");
  if (!start.empty()) options.SetNameValue("PREFIX", start.c_str());
  // Includes objects in archive storage classes.
  const CPLConfigOptionSetter all_classes("CPL_VSIL_CURL_IGNORE_STORAGE_CLASSES", "", false);
  const CPLConfigOptionSetter glacier("CPL_VSIL_CURL_IGNORE_GLACIER_STORAGE", "NO", false);
  // GDAL caches the pages of other servers, including error pages.
  if (!IsInObjectStore(path)) VSICurlPartialClearCache(path.c_str());
  // The names are links, whose encoding GDAL leaves.
  const bool is_page = path.starts_with("/vsicurl") && path.find("ftp:") == path.npos;
  ListingAttempt attempt;
  attempt.reason = FindLackOfCredentials(path);
  attempt.lacks_credentials = !attempt.reason.empty();
  if (attempt.lacks_credentials) return attempt;
  const MessageWatch watch;
  const std::unique_ptr<VSIDIR, decltype(&VSICloseDir)> dir(
      VSIOpenDir(path.c_str(), recursive ? -1 : 0, options.List()), VSICloseDir);
  while (const VSIDIREntry* entry = dir ? VSIGetNextDirEntry(dir.get()) : nullptr) {
    ListedEntry listed{entry->pszName, VSI_ISDIR(entry->nMode) != 0};
    while (listed.name.ends_with('/')) listed.name.pop_back();
    attempt.too_many = attempt.entries.size() == most;
    if (attempt.too_many) break;
    if (is_page) listed.name = DecodeUrl(listed.name);
    if (!listed.name.empty() && listed.name != "." && listed.name != "..") attempt.entries.push_back(std::move(listed));
  }
  attempt.complete = IsComplete(path, watch, attempt);
  attempt.asked = watch.asked();
  attempt.status = watch.status();
  attempt.reason = watch.GetReason();
  if (!attempt.complete && !IsInObjectStore(path)) VSICurlPartialClearCache(path.c_str());
  return attempt;
}

/// GDAL raises messages about credentials and regions only once, so this lists again unless a status explains the
/// failure.
ListingAttempt ListAgainIfUnclear(const std::string& path, bool recursive, const std::string& start) {
  ListingAttempt attempt = ListOnce(path, recursive, start);
  const bool is_unclear = IsInObjectStore(path) && attempt.status <= kBadRequest && !attempt.lacks_credentials;
  return attempt.complete || !is_unclear ? attempt : ListOnce(path, recursive, start);
}

[[noreturn]] void FailToList(const std::string& path, const ListingAttempt& attempt) {
  const auto url = IsWebPath(path) ? MakeValueUrl(path, "", "") : std::nullopt;
  const zarr::Error error(zarr::ErrorKind::kIo, path, "", "",
                          "cannot be listed: " + attempt.reason + (url ? ", for " + HidePrivateParts(*url) : ""));
  throw TellsOfRefusal(attempt.reason) ? error.AsRefusal() : error;
}

}  // namespace

std::optional<std::vector<ListedEntry>> ListNewPlace(const std::string& path) {
  auto& known = zarr::ThreadValue<EmptyPlace>::Get();
  EmptyPlace place{path, MakeDigestOfSettings(path), changes, std::chrono::steady_clock::now()};
  if (known.IsStill(place)) return std::vector<ListedEntry>();
  auto entries = ListOnNetwork(path, false);
  if (entries && entries->empty()) known = std::move(place);
  return entries;
}

void NoteChangeOnNetwork() {
  ++changes;
}

std::vector<bool> UnlinkObjects(const std::vector<std::string>& paths) {
  CPLStringList list;
  for (const std::string& path : paths) list.AddString(path.c_str());
  const std::unique_ptr<int, decltype(&VSIFree)> results(VSIUnlinkBatch(list.List()), VSIFree);
  std::vector<bool> erased(paths.size());
  for (std::size_t i = 0; results && i < paths.size(); ++i) erased[i] = results.get()[i] != 0;
  return erased;
}

bool IsInObjectStore(const std::string& path) {
  constexpr std::string_view kPrefixes[] = {"/vsis3/", "/vsigs/", "/vsiaz/", "/vsiadls/", "/vsioss/", "/vsiswift/"};
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) { return path.starts_with(prefix); });
}

bool TellsOfRefusal(std::string_view reason) {
  constexpr std::string_view kReasons[] = {"HTTP response code: 401", "HTTP response code: 403", "AccessDenied",
                                           "Access Denied"};
  return std::ranges::any_of(kReasons, [&](std::string_view part) { return reason.find(part) != reason.npos; });
}

bool MeansNoListing(int status) {
  constexpr int kStatuses[] = {401, 403, 404, 405, 410, 501};
  return std::ranges::find(kStatuses, status) != std::end(kStatuses);
}

std::optional<std::vector<ListedEntry>> ListOnNetwork(const std::string& path, bool recursive,
                                                      const std::string& start) {
  if (path.find('/', 1) == path.npos) {  // GDAL's function throws
    throw zarr::Error(zarr::ErrorKind::kIo, path, "", "",
                      "cannot be listed: the name ends before that of a bucket or server");
  }
  const RetryRule rule = ReadHttpSettings(path).retry;
  // GDAL's own retries would be counted as failures.
  const CPLConfigOptionSetter no_retries("GDAL_HTTP_MAX_RETRY", "0", false);
  double delay = rule.delay;
  for (int tries = 0;; ++tries) {
    ListingAttempt attempt = ListAgainIfUnclear(path, recursive, start);
    if (attempt.complete) return std::move(attempt.entries);
    const bool tells_nothing = !IsInObjectStore(path) && (attempt.status == kOk || !attempt.asked);
    if (tells_nothing || MeansNoListing(attempt.status)) return std::nullopt;
    const int status = attempt.status < kFirstFailure ? 0 : attempt.status;
    if (tries >= rule.most || !IsRetried(rule, status, attempt.reason)) FailToList(path, attempt);
    std::this_thread::sleep_for(std::chrono::duration<double>(delay));
    delay = ComputeNextDelay(delay, 0.5);
  }
}

std::optional<std::vector<ListedEntry>> ListAllOnNetwork(const std::string& path, std::size_t most) {
  ListingAttempt attempt = ListOnce(path, true, "", most);
  return attempt.complete && !attempt.too_many ? std::optional(std::move(attempt.entries)) : std::nullopt;
}

}  // namespace gdal_zarr
