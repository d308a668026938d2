// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

class FileLocks;

struct FilesystemOptions {
  /// Whether `Set` and `Erase` return only when their changes are on the disk and thus survive a power failure. Without
  /// it the kernel writes them later; a crash of the process alone loses nothing.
  bool sync = false;
  /// Whether values are written to files without a name, where the system has them; otherwise to files with a temporary
  /// name.
  bool unnamed_files = true;
};

/// A folder of a POSIX file system. Its path is resolved when the store is made: neither a later change of the current
/// folder nor one of a symbolic link moves the store. A key is absent only if the system says ENOENT, ENOTDIR, or
/// ENAMETOOLONG (there can be no such name); a folder in the place of a value is Error(io).
///
/// `Set` makes the folders that it needs. It writes a file without a name, or with a temporary name in the store's root
/// that starts with ".zarr-tmp-", and then gives it its name (see NewFile): readers see the old or the new value, and
/// after an error, such as a full disk, the old one. A file gets the permissions of the file that it replaces, else
/// those that the process's umask leaves. Listings follow symbolic links. They leave out links that lead nowhere, and
/// temporary files, which a killed process may leave behind until `EraseAbandoned`.
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
  std::unique_ptr<OpenedValue> OpenValue(std::string_view key) const override;
  bool Exists(std::string_view key) const override;
  bool GetStamp(std::string_view key, VersionStamp* stamp) const override;
  std::optional<Listing> List(std::string_view prefix) const override;
  std::optional<std::vector<Entry>> ListEntries(std::string_view prefix) const override;
  std::optional<std::vector<std::string>> ListNames(std::string_view prefix, std::size_t most) const override;
  std::optional<EntryKind> GetEntryKind(std::string_view path) const override;
  void Set(std::string_view key, ByteSpan value) override;
  /// In one step, on file systems that have hard links.
  bool SetIfAbsent(std::string_view key, ByteSpan value) override;
  void Erase(std::string_view key) override;
  Leftovers EraseChosen(std::string_view prefix, const Chooser& choose) override;
  std::shared_ptr<void> TryHold(std::string_view key) const override;
  /// With locks of the system on the file of the document, which exclude all processes, on all machines if the file
  /// system has such locks. If the file cannot be locked, only this process is excluded (see `lock_fault`).
  LockResult Lock(std::string_view document, std::string_view value, bool waits = true) const override;
  std::unique_ptr<StoreLock> LockFolder(std::string_view prefix) const override;
  std::string lock_fault() const override;
  void EraseAbandoned() override;
  void RenamePrefix(std::string_view from, std::string_view to) override;
  bool ExchangePrefixes(std::string_view first, std::string_view second) override;
  bool LeadsOut(std::string_view prefix) const override;
  std::optional<LinkedFolder> FindLinkedFolder(std::string_view path) const override;

 private:
  std::string GetPath(std::string_view key) const;
  /// Forces the names in `folder` to the disk, and with `with_parents` those in the folders above.
  void SyncNames(std::string folder, bool with_parents) const;

  std::string name_;  // as the caller gave it
  std::string root_;  // absolute, without symbolic links
  FilesystemOptions options_;
  std::shared_ptr<FileLocks> locks_;
  void NoteLockFault(const std::string& fault) const;

  mutable std::mutex lock_fault_mutex_;
  mutable std::string lock_fault_;
  std::atomic<bool> unnamed_files_;  // false once an unnamed file could not get a name
};

}  // namespace zarr
