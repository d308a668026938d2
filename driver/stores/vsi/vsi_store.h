// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <cpl_vsi.h>

#include "driver/stores/http/object_url.h"
#include "driver/stores/request_log.h"
#include "zarrlib/base/once.h"
#include "zarrlib/store/store_requests.h"
#include "zarrlib/store/wanted_ranges.h"

namespace gdal_zarr {

struct HttpAddress;
struct ListedEntry;

/// The maximum useful number of requests in flight.
inline constexpr std::size_t kNetworkConcurrency = 64;

/// Returns true if reading a path needs a network, including through archives.
bool LeadsToNetwork(const std::string& path);

/// A folder that is accessed by GDAL's file functions: local, in memory, in an archive, or remote.
///
/// A value is absent if the file system reports so: by ENOENT or ENOTDIR locally, by HTTP status 404 or an object
/// store's "no such key" remotely, and by the table of contents in an archive. Any other failure is an Error(io) with
/// GDAL's message. GDAL's own errors do not reach the user.
///
/// In web stores (/vsicurl/, /vsis3/, /vsigs/, /vsiaz/), the driver sends its own requests for values
/// (driver/stores/http), over the libcurl that GDAL uses, configured by GDAL's options, and signed by VSIGetSignedURL.
/// Reading a value takes one request. A page that lists a folder is read like a value. GDAL's file functions are used
/// for writing, for listing object stores, for the other networks, and if the option ZARR_HTTP_CLIENT requests it. They
/// are not sufficient for reading, as tests with GDAL 3.6 to 3.13 have shown:
///
/// - VSIFOpenL and VSIFReadL send a HEAD and a GET, or two GETs with CPL_VSIL_CURL_USE_HEAD=NO. They ignore the range
///   in an answer, and cache wrong and truncated bodies, so that later reads are wrong too. The time and size of a file
///   stay those of its first use, so that a replaced shard is not detected.
/// - VSIFReadMultiRangeL needs the open file, with its HEAD, and caches nothing, but does not check ranges either.
/// - The streaming file systems (/vsicurl_streaming/) send one GET, but do not distinguish a missing file from a
///   failure, do not detect a truncated transfer, and ignore the thread's configuration options.
/// - CPLHTTPFetch sends one GET, but threads that share its connection wait for each other. CPLHTTPMultiFetch returns
///   only after the slowest answer. Both return the status only as text, and do not sign requests.
///
/// `Write` writes a temporary file, named ".zarr-tmp-...", and renames it, if GDAL can do so. In object stores, an
/// object appears as a whole when its file is closed. A store in an archive cannot be written; MakeZipStore creates new
/// archives.
class VsiStore : public zarr::Store, private zarr::StoreRequests {
 public:
  /// `root` has no trailing "/". The query of a URL (`/vsicurl/https://host/a.zarr?token`) is appended to each key's
  /// path. Requests are counted in `log` if it is given, otherwise in a log of this store.
  explicit VsiStore(const std::string& root, std::shared_ptr<RequestLog> log = nullptr, KeyForm form = KeyForm::kPlain);

  /// For a remote store, this includes a digest of the settings at the time of the first call.
  std::string identity() const override;
  zarr::StoreInfo info() const override;
  bool Read(const zarr::ReadRequest& request) const override;
  std::optional<zarr::Listing> List(std::string_view prefix, const zarr::ListOptions& options = {}) const override;
  bool Write(std::string_view key, zarr::ByteSpan value, zarr::WriteIf condition) override;
  /// In remote stores, works where TakesConditions is true, and for values that GDAL sends in one request. S3 and Azure
  /// compare entity tags, Google Cloud Storage compares generations. Some servers ignore conditions; the first call
  /// with a stamp finds that out, once for each bucket. A request without an answer may have been carried out, so that
  /// the value is looked at before the request is repeated.
  bool WriteIfSame(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known) override;
  void EraseAll(std::span<const std::string> keys) override;
  const zarr::StoreRequests* requests() const override { return this; }

 private:
  enum class Kind {
    kLocal,    // a path outside /vsi...
    kVirtual,  // /vsimem/, archives
    kNetwork,
  };
  struct Closer {
    void operator()(VSILFILE* file) const { VSIFCloseL(file); }
  };
  using File = std::unique_ptr<VSILFILE, Closer>;
  /// How values are written.
  enum class Writing {
    kNone,
    kRename,   // write a temporary file, then rename it
    kInPlace,  // the file appears when it is closed
  };
  class Call;  // wraps each call of GDAL's functions

  bool KeepsIdentity() const override;
  std::optional<std::vector<zarr::EarlyAnswer>> ReadEarly(std::span<const zarr::EarlyRequest> requests) const override;
  bool reads_early() const override { return on_web_; }
  std::uint64_t CountWrites(std::string_view key) const override;
  bool NoteBroken(std::string_view key, int status, int times, zarr::Error* error) const override;
  std::optional<zarr::RequestCounts> counts() const override;

  /// Returns nullopt if a request is left to GDAL. Call this while GDAL's errors are collected.
  std::optional<HttpAddress> MakeAddress(std::string_view key) const;
  /// Reads a value with the driver's own requests. Returns nullopt if that is left to GDAL.
  std::optional<bool> ReadFromWeb(const zarr::ReadRequest& request) const;
  bool ReadByGdal(const Call& call, const zarr::ReadRequest& request) const;
  bool ReadFile(const Call& call, const zarr::ReadRequest& request) const;
  /// Like ReadByGdal; the stamp gets what a conditional request needs, which GDAL's files do not report. Throws
  /// Error(io) if the value changes all the time.
  bool ReadForCondition(const Call& call, const zarr::ReadRequest& request) const;
  void ReadRanges(const Call& call, VSILFILE* file, const zarr::WantedRanges& wanted) const;
  bool LookForValue(const Call& call) const;
  bool ReadStampOf(const Call& call, zarr::VersionStamp* stamp) const;

  std::optional<zarr::Listing> ListFolder(std::string_view prefix) const;
  std::optional<zarr::Listing> ListBelow(std::string_view prefix, std::size_t most) const;
  std::optional<zarr::Listing> ListOne(std::string_view prefix, std::string_view name) const;
  std::optional<zarr::Listing> ListNetworkFolder(std::string_view prefix) const;
  /// Lists a folder of a web server that generates directory pages, with the driver's own request.
  std::optional<std::vector<ListedEntry>> ListPage(std::string_view prefix) const;
  /// Returns the first of these keys that still has a value, or nullopt if none has.
  std::optional<std::string> FindLeft(const std::vector<std::string>& keys) const;
  /// Returns the failure of a request that was refused, or that has no answer.
  std::optional<zarr::Error> PutOnCondition(std::string_view key, zarr::ByteSpan value, const std::string& condition);
  /// Throws Error(unsupported) if the value cannot be replaced on a condition.
  void CheckTakesCondition(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known);
  /// Returns true if the bucket's server honours conditions. Asks it once in this process.
  bool HonoursConditions();
  bool ProbeConditions();
  void EraseIfPossible(const std::string& key);
  std::optional<bool> FindOutcome(std::string_view key, zarr::ByteSpan value, const zarr::VersionStamp* known) const;
  void ForgetAbsence();
  void Put(std::string_view key, zarr::ByteSpan value);
  void EraseFile(const std::string& key);
  void EraseObjects(std::span<const std::string> keys);
  void EraseFolder(const std::string& prefix);
  static Writing FindWriting(const std::string& root);
  std::string MakePath(std::string_view key) const;
  /// Returns true if GDAL would take the key for another one.
  bool IsImpossible(std::string_view key) const { return has_two_slashes_ && key.find('\\') != key.npos; }
  /// Opens a new file, and creates missing folders. Returns null on failure.
  VSILFILE* CreateNewFile(const std::string& path) const;
  void WriteFile(const Call& call, const std::string& path, zarr::ByteSpan value) const;
  void MakeFolder(const std::string& folder) const;
  void CheckWritable(std::string_view key) const;
  /// Throws Error(io) for a pipe, a device or a socket, on which GDAL would block.
  void CheckOpens(const Call& call) const;
  /// Returns null if the file is absent.
  File Open(const Call& call) const;
  /// Takes a stamp before anything can be read. If the value is replaced in the meantime, the stamp is outdated, but
  /// never the new value's stamp with old bytes.
  File Open(const Call& call, zarr::VersionStamp* stamp) const;
  bool IsAbsent(const Call& call, int error_number) const;
  std::uint64_t GetSize(const Call& call, VSILFILE* file, std::uint64_t max_size) const;
  void ReadAt(const Call& call, VSILFILE* file, std::uint64_t offset, zarr::MutableByteSpan buffer) const;
  /// If there is no file, returns false and sets a stamp that no value has.
  bool ReadStamp(const Call& call, zarr::VersionStamp* stamp) const;
  struct Identity {
    std::string name;
    std::string settings;  // empty if settings do not matter
  };
  const Identity& GetIdentity() const;
  std::string GetCurrentSettings() const;

  const std::string& root_;  // the name
  std::shared_ptr<RequestLog> log_;
  std::string query_;  // begins with "?", or is empty
  const KeyForm form_;
  Kind kind_;
  Writing writing_;
  bool has_two_slashes_;                // GDAL takes "\" for "/"
  bool remote_;                         // reading needs a network, perhaps through an archive
  mutable std::atomic<bool> on_web_;    // values are read with the driver's own requests
  mutable std::atomic<bool> can_list_;  // in a remote store, false until a listing succeeds
  zarr::Once forgotten_;
  mutable zarr::Once identity_once_;
  mutable Identity identity_;
  mutable std::mutex folders_mutex_;
  mutable std::unordered_set<std::string> folders_;  // folders that this store has created
};

}  // namespace gdal_zarr
