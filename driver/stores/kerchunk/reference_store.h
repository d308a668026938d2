#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "driver/stores/kerchunk/reference_file.h"
#include "driver/stores/kerchunk/reference_target.h"
#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// A store whose values stand in other files, in whatever format these are: a file of kerchunk references says where.
/// Keys are those that it names. Takes no writes.
///
/// A value that is named but cannot be read, because its file is not there or too short, is an error and never absent:
/// absent chunks are full of the fill value.
class ReferenceStore final : public zarr::Store {
 public:
  /// Where a value stands.
  struct Location {
    std::string path;                     ///< For GDAL's file functions.
    std::uint64_t offset = 0;             ///< In bytes.
    std::optional<std::uint64_t> length;  ///< In bytes; nothing: the whole file.
    std::optional<std::string> bytes;  ///< The value itself, if it stands in the file of references; then `path` is "".
  };

  /// `path` is the file, or one of the names that ParseReferenceName knows. Throws Error(not_found) if there is no such
  /// file, and what ReferenceFile throws. Files that are open already, and have not changed, are not read again.
  explicit ReferenceStore(const std::string& path);

  /// Nothing if there is no such key. Throws Error for what is no reference, or must not be followed. Does not look
  /// whether there is anything. Thread-safe.
  std::optional<Location> LocationOf(std::string_view key) const;

  std::string name() const override { return name_; }
  std::string identity() const override { return identity_; }
  bool KeepsIdentity() const override { return settings_.empty() || settings_ == CurrentSettings(); }
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

 private:
  std::string CurrentSettings() const;
  [[noreturn]] void FailReadOnly(std::string_view key) const;
  template <typename Function>
  void Follow(std::string_view key, const Location& location, const Function& read) const;
  void ReadPart(std::string_view key, const Location& location, zarr::ByteRange part, zarr::Bytes* value,
                zarr::VersionStamp* stamp) const;

  std::string name_;
  std::string prefix_;
  std::shared_ptr<const ReferenceFile> file_;
  ReferenceTargets targets_;
  std::string settings_;  // that decide what hosts are asked, and how; "" where none are
  std::string identity_;
};

}  // namespace gdal_zarr
