// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

struct FilesystemRoot;

struct FilesystemOptions {
  /// Whether `Write` and `EraseAll` return only when their changes are on the disk and thus survive a power failure.
  /// Without it the kernel writes them later; a crash of the process alone loses nothing.
  bool sync = false;
  /// Whether values are written to files without a name, where the system has them; otherwise to files with a temporary
  /// name.
  bool unnamed_files = true;
};

/// A folder of a POSIX file system. Its path is resolved when the store is made: neither a later change of the current
/// folder nor one of a symbolic link moves the store. A key is absent only if the system says ENOENT, ENOTDIR, or
/// ENAMETOOLONG (there can be no such name); a folder in the place of a value is Error(io).
///
/// `Write` makes the folders that it needs. It writes a file without a name, or with a temporary name in the store's
/// root that starts with ".zarr-tmp-", and then gives it its name (see NewFile): readers see the old or the new value,
/// and after an error, such as a full disk, the old one. A file gets the permissions of the file that it replaces, else
/// those that the process's umask leaves. Listings follow symbolic links. They leave out links that lead nowhere, and
/// temporary files, which a killed process may leave behind until `StoreFolders::EraseAbandoned`.
class FilesystemStore final : public Store {
 public:
  explicit FilesystemStore(std::string root, const FilesystemOptions& options = {});
  ~FilesystemStore() override;

  std::string identity() const override;
  StoreInfo info() const override;
  bool Read(const ReadRequest& request) const override;
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options = {}) const override;
  /// With kAbsent in one step, on file systems that have hard links.
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;
  void EraseAll(std::span<const std::string> keys) override;
  StoreFolders* folders() const override;
  StoreLocks* locks() const override;

 private:
  void Put(const std::string& path, ByteSpan value);
  /// Makes a file that is not there. Returns false if it is, and nothing if the file system cannot tell in one step.
  std::optional<bool> Add(const std::string& path, ByteSpan value) const;
  void EraseOne(const std::string& key);

  const std::shared_ptr<const FilesystemRoot> root_;
  const std::unique_ptr<StoreFolders> folders_;
  const std::unique_ptr<StoreLocks> locks_;
  std::atomic<bool> unnamed_files_;  // false once an unnamed file could not get a name
};

}  // namespace zarr
