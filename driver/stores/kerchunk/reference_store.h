// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "driver/stores/kerchunk/reference_file.h"
#include "driver/stores/kerchunk/reference_target.h"
#include "driver/stores/request_log.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// A store whose values are byte ranges of other files, in whatever formats these are. A file of kerchunk references
/// lists the keys, and tells where their values are. The store is read-only.
///
/// If the file of a listed key is missing or too short, reading fails. Such a key never counts as absent, because
/// absent chunks would be filled with the fill value.
class ReferenceStore final : public zarr::Store, public HasRequestLog {
 public:
  /// The place of a value.
  struct Location {
    std::string path;                     ///< A path for GDAL's file functions.
    std::uint64_t offset = 0;             ///< In bytes.
    std::optional<std::uint64_t> length;  ///< In bytes; nothing means the whole file.
    std::optional<std::string> bytes;     ///< The value itself, if the references hold it; then `path` is "".
  };

  /// `path` is the file of references, or a name that ParseReferenceName knows. A file that some store uses already is
  /// not read again if it has not changed. Throws Error(not_found) if there is no such file, and what ReferenceFile
  /// throws.
  explicit ReferenceStore(const std::string& path);

  /// Returns nothing if there is no such key. Does not check that the file exists. Throws Error for a value that is not
  /// a reference, or one that must not be followed. Thread-safe.
  std::optional<Location> FindLocation(std::string_view key) const;

  std::string name() const override { return name_; }
  std::string identity() const override { return identity_; }
  bool KeepsIdentity() const override { return settings_.empty() || settings_ == GetCurrentSettings(); }
  zarr::StoreCapabilities capabilities() const override;
  /// The requests for the references, and for what they refer to.
  const RequestLog& requests() const override { return *log_; }
  bool Get(std::string_view key, zarr::Bytes* value, zarr::VersionStamp* stamp, std::uint64_t max_size) const override;
  bool GetRanges(std::string_view key, std::span<const zarr::ByteRange> ranges,
                 std::span<const zarr::MutableByteSpan> buffers, zarr::VersionStamp* stamp) const override;
  bool GetSuffix(std::string_view key, std::uint64_t length, zarr::Bytes* value,
                 zarr::VersionStamp* stamp) const override;
  bool Exists(std::string_view key) const override;
  bool GetStamp(std::string_view key, zarr::VersionStamp* stamp) const override;
  bool NoteBroken(std::string_view key, int status, int times, zarr::Error* error) const override;
  std::optional<Listing> List(std::string_view prefix) const override;
  void Set(std::string_view key, zarr::ByteSpan value) override;
  void Erase(std::string_view key) override;

 private:
  std::string GetCurrentSettings() const;
  [[noreturn]] void FailReadOnly(std::string_view key) const;
  template <typename Function>
  void Follow(std::string_view key, const Location& location, const Function& read) const;
  void ReadPart(std::string_view key, const Location& location, zarr::ByteRange part, zarr::Bytes* value,
                zarr::VersionStamp* stamp) const;

  std::string name_;
  std::shared_ptr<RequestLog> log_;
  std::string prefix_;
  std::shared_ptr<const ReferenceFile> file_;
  ReferenceTargets targets_;
  std::string settings_;  // a digest of the settings for requests to other hosts; "" if there are no such hosts
  std::string identity_;
};

}  // namespace gdal_zarr
