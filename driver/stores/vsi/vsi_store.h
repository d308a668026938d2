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

#include "driver/stores/request_log.h"
#include "zarrlib/base/once.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

struct FetchedValue;
struct HttpAddress;
struct ListedEntry;

/// A key, and the size up to which its value is worth having early.
struct WantedKey {
  std::string key;
  std::uint64_t max_size = 0;
  std::string known_tag = {};  ///< The entity tag of a state that is at hand; "" if there is none.
};

/// The number of requests worth having in flight at once.
inline constexpr std::size_t kNetworkConcurrency = 64;

/// Whether reading a path needs a network, also through archives.
bool LeadsToNetwork(const std::string& path);

/// A folder that is accessed by GDAL's file functions: local, in memory, in an archive, or on a network.
///
/// A value is absent if the file system says so: by ENOENT or ENOTDIR locally, by HTTP status 404 or an object store's
/// "no such key" on a network, and by the table of contents in an archive. Any other failure is an Error(io) with
/// GDAL's message. GDAL's own errors do not reach the user.
///
/// On the web (/vsicurl/, /vsis3/, /vsigs/, /vsiaz/), values are read by requests of our own (driver/stores/http), over
/// the libcurl that GDAL uses, configured by GDAL's options, and signed by VSIGetSignedURL. Reading takes one request.
/// A page that lists a folder is one of those values. GDAL's file functions stay for writing, for listing object
/// stores, for the other networks, and where the option ZARR_HTTP_CLIENT says so. They cannot do it, as was tried with
/// GDAL 3.6 to 3.13:
///
/// - VSIFOpenL and VSIFReadL take a HEAD and a GET, or two GETs with CPL_VSIL_CURL_USE_HEAD=NO. They ignore the range
///   that an answer tells, and keep wrong and truncated bodies in a cache, from which later reads are wrong too. The
///   time and size of a file stay those of its first use, so that a replaced shard is not noticed.
/// - VSIFReadMultiRangeL needs the open file, with its HEAD, and caches nothing, but does not look at ranges either.
/// - The streaming file systems (/vsicurl_streaming/) take one GET, but do not tell a missing file from a failure, do
///   not notice that a transfer broke off, and ignore the thread's configuration options.
/// - CPLHTTPFetch takes one GET, but threads that share its connection wait for each other. CPLHTTPMultiFetch returns
///   when the slowest answer is there. Both tell the status in words only, and sign nothing.
///
/// `Set` writes a temporary file, named ".zarr-tmp-...", and renames it, where GDAL can do so. On object stores, an
/// object appears as a whole when its file is closed. A store in an archive cannot be written; MakeZipStore makes new
/// archives.
class VsiStore : public zarr::Store, public HasRequestLog {
 public:
  /// `root` has no trailing "/". The query of a URL (`/vsicurl/https://host/a.zarr?token`) is appended to each key's
  /// path. With a log, counts its requests there, else in a log of its own.
  explicit VsiStore(std::string root, std::shared_ptr<RequestLog> log = nullptr);

  std::string name() const override { return root_; }
  /// For a store on a network, this includes a digest of the settings at the time of the first call.
  std::string identity() const override;
  bool KeepsIdentity() const override;
  zarr::StoreCapabilities capabilities() const override;
  bool Get(std::string_view key, zarr::Bytes* value, zarr::VersionStamp* stamp, std::uint64_t max_size) const override;
  bool GetRanges(std::string_view key, std::span<const zarr::ByteRange> ranges,
                 std::span<const zarr::MutableByteSpan> buffers, zarr::VersionStamp* stamp) const override;
  bool GetSuffix(std::string_view key, std::uint64_t length, zarr::Bytes* value,
                 zarr::VersionStamp* stamp) const override;
  bool Exists(std::string_view key) const override;
  bool GetStamp(std::string_view key, zarr::VersionStamp* stamp) const override;
  bool NoteBroken(std::string_view key, int status, int times, zarr::Error* error) const override;
  const RequestLog& requests() const override { return *log_; }
  /// Whether FetchTogether works.
  bool fetches_together() const { return on_web_; }
  /// Asks for whole values, all at once. The result has one element for each key.
  std::vector<FetchedValue> FetchTogether(std::span<const WantedKey> keys) const;
  /// A number that grows when this process writes or erases the value; by chance, also when it does so with another.
  std::uint64_t CountWrites(std::string_view key) const;
  std::optional<Listing> List(std::string_view prefix) const override;
  std::optional<std::vector<std::string>> ListKeysBelow(std::string_view prefix, std::size_t most) const override;
  std::optional<zarr::EntryKind> GetEntryKind(std::string_view path) const override;
  void Set(std::string_view key, zarr::ByteSpan value) override;
  void Erase(std::string_view key) override;
  void EraseAll(std::span<const std::string> keys) override;
  Leftovers EraseChosen(std::string_view prefix, const zarr::Chooser& choose) override;

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
  /// The way in which values are written.
  enum class Writing {
    kNone,
    kRename,   // write a temporary file, rename it
    kInPlace,  // the file appears when it is closed
  };
  class Call;  // surrounds each use of GDAL's functions

  /// Returns nothing if a request is left to GDAL. Call this where GDAL's errors are collected.
  std::optional<HttpAddress> MakeAddress(std::string_view key) const;
  /// Reads a value by a request of our own: returns the result of `use(const HttpValue&)`. Returns nothing if that is
  /// left to GDAL.
  template <typename Use>
  std::optional<bool> ReadFromWeb(std::string_view key, zarr::VersionStamp* stamp, const Use& use) const;

  Leftovers EraseObjects(std::string_view prefix, const zarr::Chooser& choose);
  std::optional<Listing> ListNetworkFolder(std::string_view prefix) const;
  /// Lists a folder of a web server that makes pages of its folders, by a request of our own.
  std::optional<std::vector<ListedEntry>> ListPage(std::string_view prefix) const;
  /// The first of these keys that still has a value; nothing if none has.
  std::optional<std::string> FindLeft(const std::vector<std::string>& keys) const;
  void ForgetAbsence();
  static Writing FindWriting(const std::string& root);
  std::string MakePath(std::string_view key) const;
  /// Opens a new file, and makes the folders that it needs. Returns null if that fails.
  VSILFILE* CreateFile(const std::string& path) const;
  /// Writes a new file.
  void WriteFile(const Call& call, const std::string& path, zarr::ByteSpan value) const;
  void MakeFolder(const std::string& folder) const;
  void CheckWritable(std::string_view key) const;
  /// Throws Error(io) for a pipe, a device or a socket, which GDAL would wait for.
  void CheckOpens(const Call& call) const;
  /// Returns null if the file is absent.
  File Open(const Call& call) const;
  /// Takes a stamp before anything can be read. If the value is replaced meanwhile, the stamp is too old, and never one
  /// of the new value with old bytes.
  File Open(const Call& call, zarr::VersionStamp* stamp) const;
  bool IsAbsent(const Call& call, int error_number) const;
  std::uint64_t GetSize(const Call& call, VSILFILE* file, std::uint64_t max_size) const;
  void ReadAt(const Call& call, VSILFILE* file, std::uint64_t offset, zarr::MutableByteSpan buffer) const;
  /// If there is no file, returns false and sets a stamp that no value has.
  bool ReadStamp(const Call& call, zarr::VersionStamp* stamp) const;
  struct Identity {
    std::string name;
    std::string settings;  // "" if no settings matter
  };
  const Identity& GetIdentity() const;
  std::string GetCurrentSettings() const;

  std::string root_;
  std::shared_ptr<RequestLog> log_;
  std::string query_;  // begins with "?", or is ""
  Kind kind_;
  Writing writing_;
  bool remote_;                         // reading needs a network, perhaps through an archive
  mutable std::atomic<bool> on_web_;    // values are read by requests of our own
  mutable std::atomic<bool> can_list_;  // on a network, false until a listing succeeds
  zarr::Once forgotten_;
  mutable zarr::Once identity_once_;
  mutable Identity identity_;
  mutable std::mutex folders_mutex_;
  mutable std::unordered_set<std::string> folders_;  // folders that this store has made
};

}  // namespace gdal_zarr
