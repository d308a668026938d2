#pragma once

#include <atomic>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

struct FilesystemOptions {
  /// Whether `Set` and `Erase` return only when the disk has what they did, so that it outlives a power failure.
  /// Without it the kernel writes when it sees fit; a crash of the process alone loses nothing.
  bool sync = false;
  /// Whether values are written to files without a name where the system has such; else all have a temporary one.
  bool unnamed_files = true;
};

/// A folder of a POSIX file system, the one that the path leads to when the store is made, from the folder that is
/// current then, by the symbolic links of then. A key is absent when the system says ENOENT or ENOTDIR, or that there
/// can be no such name (ENAMETOOLONG), and for nothing else: a folder where a value is expected is Error(io).
///
/// `Set` makes the folders that it needs, writes a file that has no name yet, or a temporary one that starts with
/// ".zarr-tmp-" in the store's root, and gives it the name (see NewFile): readers see the old or the new value, and
/// after an error (a full disk, for instance) the old one. Files get the permissions of those that they replace, else
/// what the process's umask inner chunks. Listings follow symbolic links, and leave out those that lead nowhere, and
/// the temporary files, which a process that was killed may leave behind until `EraseAbandoned`.
class FilesystemStore final : public Store {
 public:
  explicit FilesystemStore(std::string root, const FilesystemOptions& options = {});

  std::string name() const override { return name_; }
  std::string identity() const override { return root_ == "/" ? "" : root_; }
  StoreCapabilities capabilities() const override;
  bool Get(std::string_view key, Bytes* value, VersionStamp* stamp, std::uint64_t max_size) const override;
  bool GetRanges(std::string_view key, std::span<const ByteRange> ranges, std::span<const MutableByteSpan> buffers,
                 VersionStamp* stamp) const override;
  bool GetSuffix(std::string_view key, std::uint64_t length, Bytes* value, VersionStamp* stamp) const override;
  bool Exists(std::string_view key) const override;
  bool GetStamp(std::string_view key, VersionStamp* stamp) const override;
  std::optional<Listing> List(std::string_view prefix) const override;
  std::optional<std::vector<Entry>> ListEntries(std::string_view prefix) const override;
  std::optional<EntryKind> KindAt(std::string_view path) const override;
  void Set(std::string_view key, ByteSpan value) override;
  /// In one step, on file systems that have hard links.
  bool SetIfAbsent(std::string_view key, ByteSpan value) override;
  void Erase(std::string_view key) override;
  Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) override;
  std::shared_ptr<void> TryHold(std::string_view key) const override;
  void EraseAbandoned() override;
  bool RenamePrefix(std::string_view from, std::string_view to) override;
  bool ExchangePrefixes(std::string_view first, std::string_view second) override;
  bool LeadsOut(std::string_view prefix) const override;

 private:
  std::string PathOf(std::string_view key) const;
  /// Forces the names in `folder` to the disk, and those in the folders above if wanted.
  void SyncNames(std::string folder, bool with_parents) const;

  std::string name_;  // as given
  std::string root_;  // absolute, without symbolic links
  FilesystemOptions options_;
  std::atomic<bool> unnamed_files_;  // false once the system has given one no name
};

}  // namespace zarr
