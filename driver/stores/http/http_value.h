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

/// Thrown if only GDAL's file system can find out where an object is, such as the region of a bucket.
struct NeedsGdal {};

/// Where a value is on the web, and how it is asked for.
struct HttpAddress {
  std::string store;  ///< For messages.
  std::string key;
  std::string path;  ///< GDAL's name of it, such as "/vsis3/bucket/a.zarr/zarr.json".
  std::string url;
  HttpSettings settings;
  RequestLog* log;  ///< Counts the requests.
};

/// Where bytes came from, for messages: the status with which they came, 0 for that of a whole value, and the URL.
std::string FormatOrigin(const HttpAddress& address, int status);

/// A whole value that is likely to be needed.
struct EarlyValue {
  HttpAddress address;
  std::uint64_t max_size = 0;
  std::string known_tag = {};  ///< As in Wanted.
};

/// Asks for whole values, all at once. Each request is sent once. A value that is larger than its limit is not known.
std::vector<zarr::EarlyAnswer> FetchTogether(const CurlLibrary& curl, std::span<const EarlyValue> wanted);

/// One value of a store on the web. Each getter sends one GET, or one for each group of neighbouring ranges, and has
/// the contract of zarr::Store. A request that fails is sent again as GDAL's options say. An answer is
///
/// - the wanted bytes: status 206 with a range that holds what was asked for; status 200, whose body then is the whole
///   value, of which only the wanted bytes are kept; status 416 for a value that has no such bytes;
/// - that the value is absent: status 404 or 410, unless the bucket is what is not there;
/// - a failure: everything else, also a body that is shorter than its headers tell.
///
/// A body that is as long as its headers tell may have been cut all the same, by a proxy. Only who decodes it finds
/// out (see zarr::StoreRequests::NoteBroken).
class HttpValue {
 public:
  HttpValue(const CurlLibrary& curl, HttpAddress address) : curl_(curl), address_(std::move(address)) {}

  /// `request.key` is not used.
  bool Read(const zarr::ReadRequest& request) const;
  bool Get(zarr::Bytes* value, zarr::VersionStamp* stamp, std::uint64_t max_size) const;
  bool GetRanges(std::span<const zarr::ByteRange> ranges, std::span<const zarr::MutableByteSpan> buffers,
                 zarr::VersionStamp* stamp) const;
  bool GetSuffix(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const;
  bool GetStamp(zarr::VersionStamp* stamp) const;
  /// The error of a request for the value that was refused; null if it failed for another reason, or is to be sent
  /// again.
  std::exception_ptr FindRefusal(const HttpTransfer& transfer) const;

 private:
  struct Job;

  /// Sends requests until each has an answer that is no failure. Throws zarr::Error(io) or NeedsGdal otherwise.
  void Send(std::span<Job> jobs) const;
  bool IsSentAgain(const HttpTransfer& transfer, int tries) const;
  /// Whether a value has that size, and no more.
  bool HasSize(std::uint64_t size) const;
  /// Throws what went wrong on this side of a request. Tells GDAL's debug messages about the request.
  void Note(const Job& job) const;
  bool GetRangesOnce(std::span<const zarr::ByteRange> ranges, std::span<const zarr::MutableByteSpan> buffers,
                     zarr::VersionStamp* stamp, bool* same) const;
  bool GetSuffixInTwo(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const;
  /// Gets the last bytes of a value whose stamp is known. Returns false if the value is another one by now.
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
