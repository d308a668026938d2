#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>

#include <cpl_vsi.h>

#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// Requests worth having in flight at once.
inline constexpr std::size_t kNetworkConcurrency = 32;

/// Whether a path, or one that an archive's path has in it, is behind a network.
bool LeadsToNetwork(const std::string& path);

/// A folder as GDAL's file functions see it: local, in memory, in an archive, or behind a network.
///
/// Absent is what the file system says is not there: ENOENT and ENOTDIR locally, HTTP status 404 or an object store's
/// "no such key" on a network, and in archives what their table of contents does not name. All else is
/// Error(io), with what GDAL says of it. GDAL's own errors do not reach the user.
///
/// On a network a value takes two requests, for its size and for its bytes. GDAL's streaming file systems would take
/// one, but neither tell a file that is not there from one that could not be read, nor see that a transfer broke off,
/// nor know the thread's configuration options.
///
/// Where GDAL can write and rename files, `Set` writes one of a name that starts with ".zarr-tmp-" and renames it;
/// object stores take what is written when the file is closed, as a whole. A store in an archive takes no writes:
/// MakeZipStore makes new ones.
class VsiStore final : public zarr::Store {
 public:
  /// `root` has no trailing "/". The query of a URL (`/vsicurl/https://host/a.zarr?token`) is kept behind the keys.
  explicit VsiStore(std::string root);

  std::string name() const override { return root_; }
  /// Of a store on a network, with a digest of the settings that were in force when this was asked for first.
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
  std::optional<Listing> List(std::string_view prefix) const override;
  void Set(std::string_view key, zarr::ByteSpan value) override;
  void Erase(std::string_view key) override;
  Leftovers EraseChosen(std::string_view prefix, const zarr::Chooser& choose) override;

 private:
  enum class Kind {
    kLocal,    // not /vsi...
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
    kRename,   // to a temporary file
    kInPlace,  // seen when closed
  };
  class Call;  // what surrounds each use of GDAL's functions

  static Writing WritingTo(const std::string& root);
  std::string PathOf(std::string_view key) const;
  /// Writes a file that is not there, and the folders that it needs.
  void WriteFile(const Call& call, const std::string& path, zarr::ByteSpan value) const;
  void MakeFolder(const std::string& folder) const;
  void CheckWritable(std::string_view key) const;
  /// Null if the file is absent.
  File Open(const Call& call) const;
  /// The same; a stamp is taken before anything can be read, so that what is replaced meanwhile has that of the value
  /// before at worst, and never the new one with old bytes.
  File Open(const Call& call, zarr::VersionStamp* stamp) const;
  bool IsAbsent(const Call& call, int error_number) const;
  std::uint64_t SizeOf(const Call& call, VSILFILE* file, std::uint64_t max_size) const;
  void ReadAt(const Call& call, VSILFILE* file, std::uint64_t offset, zarr::MutableByteSpan buffer) const;
  /// False, and a stamp that no value has, if there is no file.
  bool Stamp(const Call& call, zarr::VersionStamp* stamp) const;
  struct Identity {
    std::string name;
    std::string settings;  // "" where there are none
  };
  const Identity& GetIdentity() const;
  std::string CurrentSettings() const;

  std::string root_;
  std::string query_;  // with its "?"
  Kind kind_;
  Writing writing_;
  bool remote_;                         // reads wait for a network, perhaps through an archive
  mutable std::atomic<bool> can_list_;  // on a network, false until a listing has worked
  mutable std::once_flag identity_once_;
  mutable Identity identity_;
  mutable std::mutex folders_mutex_;
  mutable std::unordered_set<std::string> folders_;  // made by this
};

}  // namespace gdal_zarr
