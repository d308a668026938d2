// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

struct FilesystemRoot;

struct FilesystemOptions {
  /// True if `Write` and `EraseAll` return only when their changes are on the disk and thus survive a power failure.
  /// Otherwise the kernel writes them later; a crash of the process alone loses no data.
  bool sync = false;
  /// True to write values to files without a name, where the system supports them; otherwise to files with a temporary
  /// name.
  bool unnamed_files = true;
};

/// A folder of a POSIX file system. Its path is resolved when the store is created: later changes of the current folder
/// or of a symbolic link do not move the store. A key is absent only if the system reports ENOENT, ENOTDIR, or
/// ENAMETOOLONG (no such name can exist). A folder where a value is expected is Error(io).
///
/// `Write` creates missing folders. It writes a file without a name, or with a temporary name that starts with
/// ".zarr-tmp-" in the store's root, and then gives the file its name (see NewFile). Readers see the old or the new
/// value, and after an error, such as a full disk, the old value. A file gets the permissions of the file that it
/// replaces, or else the permissions allowed by the process's umask.
///
/// Listings follow symbolic links. They omit broken links and temporary files. A killed process may leave temporary
/// files until `StoreFolders::EraseAbandoned` removes them.
class FilesystemStore final : public Store {
 public:
  explicit FilesystemStore(std::string root, const FilesystemOptions& options = {});
  ~FilesystemStore() override;

  std::string identity() const override;
  StoreInfo info() const override;
  bool Read(const ReadRequest& request) const override;
  std::optional<Listing> List(std::string_view prefix, const ListOptions& options = {}) const override;
  /// kAbsent is atomic on file systems that have hard links.
  bool Write(std::string_view key, ByteSpan value, WriteIf condition) override;
  void EraseAll(std::span<const std::string> keys) override;
  StoreFolders* folders() const override;
  StoreLocks* locks() const override;

 private:
  void Put(const std::string& path, ByteSpan value);
  /// Creates a new file. Returns false if the file exists, and nullopt if the file system cannot check that atomically.
  std::optional<bool> Add(const std::string& path, ByteSpan value);
  void EraseOne(const std::string& key);

  const std::shared_ptr<const FilesystemRoot> root_;
  const std::unique_ptr<StoreFolders> folders_;
  const std::unique_ptr<StoreLocks> locks_;
  std::atomic<bool> unnamed_files_;  // false once an unnamed file could not get a name
};

}  // namespace zarr
