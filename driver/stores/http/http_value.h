// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/stores/http/curl_library.h"
#include "driver/stores/http/http_settings.h"
#include "driver/stores/http/http_transfer.h"
#include "zarrlib/store/store_requests.h"

namespace gdal_zarr {

/// Thrown if only GDAL's file system can locate an object, for instance find the region of a bucket.
struct NeedsGdal {};

/// The location of a value in a web store, and the settings to request it.
struct HttpAddress {
  std::string store;  ///< For messages.
  std::string key;
  std::string path;  ///< GDAL's name of the value, such as "/vsis3/bucket/a.zarr/zarr.json".
  std::string url;
  HttpSettings settings;
  RequestLog* log;  ///< Counts the requests.
};

/// Returns the origin of bytes for messages: the URL and the status of the answer (0 for the status of a whole value).
std::string FormatOrigin(const HttpAddress& address, int status);

/// A whole value to prefetch.
struct EarlyValue {
  HttpAddress address;
  std::uint64_t max_size = 0;
  std::string known_tag = {};  ///< See Wanted.
};

/// Requests whole values, all at once. Each request is sent once. The answer for a value that exceeds its limit is
/// unknown.
std::vector<zarr::EarlyAnswer> FetchTogether(const CurlLibrary& curl, std::span<const EarlyValue> wanted);

/// One value of a web store. Each getter sends one GET, or one for each group of adjacent ranges, and has the contract
/// of zarr::Store. A failed request is sent again according to GDAL's options. An answer is one of the following:
///
/// - The wanted bytes: status 206 with a range that contains the requested one; status 200, whose body is then the
///   whole value, of which only the wanted bytes are kept; status 416 for a value that does not have such bytes.
/// - The value is absent: status 404 or 410, unless the bucket is missing.
/// - A failure: everything else, including a body that is shorter than its headers specify.
///
/// Even a body of the specified length may have been truncated by a proxy. Only its decoder can detect that (see
/// zarr::StoreRequests::NoteBroken).
class HttpValue {
 public:
  HttpValue(const CurlLibrary& curl, HttpAddress address) : curl_(curl), address_(std::move(address)) {}

  /// `request.key` is not used.
  bool Read(const zarr::ReadRequest& request) const;
  bool Get(zarr::Bytes* value, zarr::VersionStamp* stamp, std::uint64_t max_size) const;
  bool GetRanges(std::span<const zarr::ByteRange> ranges, std::span<const zarr::MutableByteSpan> buffers,
                 zarr::VersionStamp* stamp) const;
  /// `length` must not be 0.
  bool GetPrefix(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const;
  bool GetSuffix(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const;
  bool GetStamp(zarr::VersionStamp* stamp) const;
  /// Returns the error if the request for the value was refused. Returns null if it failed for another reason, or will
  /// be sent again.
  std::exception_ptr FindRefusal(const HttpTransfer& transfer) const;

 private:
  struct Job;

  /// Sends requests until each has a successful answer. Throws zarr::Error(io) or NeedsGdal otherwise.
  void Send(std::span<Job> jobs) const;
  bool IsSentAgain(const HttpTransfer& transfer, int tries) const;
  /// Returns true if a value has exactly that size.
  bool HasSize(std::uint64_t size) const;
  /// Throws an error that occurred on this side of a request. Reports the request in GDAL's debug messages.
  void Note(const Job& job) const;
  bool GetRangesOnce(std::span<const zarr::ByteRange> ranges, std::span<const zarr::MutableByteSpan> buffers,
                     zarr::VersionStamp* stamp, bool* same) const;
  /// Like GetPrefix, but the size in the stamp is 0 if the server does not tell it with a range.
  bool GetPrefixOnce(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const;
  /// Learns the size with the first bytes, which are all bytes of a small value.
  bool GetSuffixInTwo(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const;
  /// Gets the last bytes of a value whose stamp is known. Returns false if the value has changed in the meantime.
  bool GetEnd(const zarr::VersionStamp& before, std::uint64_t length, zarr::Bytes* value,
              zarr::VersionStamp* stamp) const;
  [[noreturn]] void Fail(zarr::ErrorKind kind, const std::string& message) const;
  [[noreturn]] void FailTransfer(const HttpTransfer& transfer) const;
  [[noreturn]] void FailBeyondEnd(const Job& job) const;
  [[noreturn]] void FailChanging() const;

  const CurlLibrary& curl_;
  HttpAddress address_;
};

}  // namespace gdal_zarr
