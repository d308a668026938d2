// SPDX-License-Identifier: MIT
#include "zarrlib/store/filesystem_locks.h"

#include <utility>

#include "zarrlib/store/files/file_lock.h"
#include "zarrlib/store/files/filesystem_tree.h"
#include "zarrlib/store/process_locks.h"

namespace zarr {

FilesystemLocks::FilesystemLocks(std::shared_ptr<const FilesystemRoot> root)
    : root_(std::move(root)), files_(std::make_shared<FileLocks>()) {}

FilesystemLocks::~FilesystemLocks() = default;

LockResult FilesystemLocks::Lock(std::string_view document, std::string_view value, bool waits) const {
  CheckKey(document);
  FileLockResult locked = root_->At(document, [&] { return files_->Lock(root_->GetPath(document), value, waits); });
  if (locked.fault.empty() && locked.result.has_document) return std::move(locked.result);
  if (!locked.fault.empty()) NoteFault(locked.fault);
  return {LockHere(document, value, waits), locked.result.has_document, std::nullopt};
}

std::unique_ptr<StoreLock> FilesystemLocks::LockFolder(std::string_view prefix) const {
  CheckPrefix(prefix);
  std::string fault;
  auto lock = zarr::LockFolder(root_->GetPath(prefix), &fault);
  if (lock) return lock;
  NoteFault(fault);
  return LockHere(prefix, "", true);
}

std::unique_ptr<StoreLock> FilesystemLocks::LockHere(std::string_view node, std::string_view value, bool waits) const {
  return LockInProcess(root_->GetPath(node), value, waits);
}

std::shared_ptr<void> FilesystemLocks::TryHold(std::string_view key) const {
  CheckKey(key);
  return TryHoldFile(root_->GetPath(key));
}

void FilesystemLocks::NoteFault(const std::string& fault) const {
  const std::lock_guard lock(mutex_);
  fault_ = fault;
}

std::string FilesystemLocks::fault() const {
  const std::lock_guard lock(mutex_);
  return fault_;
}

}  // namespace zarr
