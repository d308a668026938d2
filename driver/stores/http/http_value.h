// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/stores/http/curl_library.h"
#include "driver/stores/http/http_settings.h"
#include "driver/stores/http/http_transfer.h"
#include "zarrlib/store/store.h"

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
};

/// The answer to a request for a whole value that nobody has to have yet.
struct FetchedValue {
  bool known = false;  ///< False if the request failed: it is to be sent again when the value is needed.
  bool absent = false;
  zarr::Bytes bytes;
};

/// Asks for whole values of at most `max_size` bytes, all at once. Each request is sent once.
std::vector<FetchedValue> FetchTogether(const CurlLibrary& curl, std::span<const HttpAddress> addresses,
                                        std::uint64_t max_size);

/// One value of a store on the web. Each getter sends one GET, or one for each group of neighbouring ranges, and has
/// the contract of zarr::Store. A request that fails is sent again as GDAL's options say. An answer is
///
/// - the wanted bytes: status 206 with the range that was asked for; status 200, whose body then is the whole value, of
///   which only the wanted bytes are kept; status 416 for a value that has no such bytes;
/// - that the value is absent: status 404 or 410, unless the bucket is what is not there;
/// - a failure: everything else, also a body that is shorter than its headers tell.
class HttpValue {
 public:
  HttpValue(const CurlLibrary& curl, HttpAddress address) : curl_(curl), address_(std::move(address)) {}

  bool Get(zarr::Bytes* value, zarr::VersionStamp* stamp, std::uint64_t max_size) const;
  bool GetRanges(std::span<const zarr::ByteRange> ranges, std::span<const zarr::MutableByteSpan> buffers,
                 zarr::VersionStamp* stamp) const;
  bool GetSuffix(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const;
  bool GetStamp(zarr::VersionStamp* stamp) const;

 private:
  struct Job;

  /// Sends requests until each has an answer that is no failure. Throws zarr::Error(io) or NeedsGdal otherwise.
  void Send(std::span<Job> jobs) const;
  bool IsSentAgain(const HttpTransfer& transfer, int tries) const;
  /// Throws what went wrong on this side of a request. Tells GDAL's debug messages about the request.
  void Note(const Job& job) const;
  bool GetRangesOnce(std::span<const zarr::ByteRange> ranges, std::span<const zarr::MutableByteSpan> buffers,
                     zarr::VersionStamp* stamp, bool* same) const;
  bool GetSuffixInTwo(std::uint64_t length, zarr::Bytes* value, zarr::VersionStamp* stamp) const;
  zarr::VersionStamp MakeStamp(const HttpTransfer& transfer) const;
  [[noreturn]] void Fail(zarr::ErrorKind kind, const std::string& message) const;
  [[noreturn]] void FailTransfer(const HttpTransfer& transfer) const;
  [[noreturn]] void FailBeyondEnd(const zarr::ByteRange& range, std::optional<std::uint64_t> size) const;
  [[noreturn]] void FailChanging() const;

  const CurlLibrary& curl_;
  HttpAddress address_;
};

}  // namespace gdal_zarr
