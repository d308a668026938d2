// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "zarrlib/store/filesystem_root.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

class FileLocks;

/// The locks of a FilesystemStore: system locks on the document's file, which exclude all processes, including those on
/// other machines if the file system supports it. If the file cannot be locked, only threads of this process are
/// excluded (see `fault`).
class FilesystemLocks final : public StoreLocks {
 public:
  explicit FilesystemLocks(std::shared_ptr<const FilesystemRoot> root);
  ~FilesystemLocks() override;

  LockResult Lock(std::string_view document, std::string_view value, bool waits) const override;
  std::unique_ptr<StoreLock> LockFolder(std::string_view prefix) const override;
  std::shared_ptr<void> TryHold(std::string_view key) const override;
  std::string fault() const override;

 private:
  void NoteFault(const std::string& fault) const;
  std::unique_ptr<StoreLock> LockHere(std::string_view node, std::string_view value, bool waits) const;

  const std::shared_ptr<const FilesystemRoot> root_;
  const std::shared_ptr<FileLocks> files_;
  mutable std::mutex mutex_;
  mutable std::string fault_;
};

}  // namespace zarr
