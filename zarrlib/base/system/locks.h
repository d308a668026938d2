// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "zarrlib/base/system/file.h"
#include "zarrlib/base/system/which_system.h"

/// Advisory locks of open files: two `File` objects exclude each other, also within one process. The system releases
/// them when the process ends. Closing a file may not release them, because the child of a fork may have it open too.
/// Thread-safe.
namespace zarr {

enum class Locked {
  kHeld,
  kBusy,    ///< Another file object has the lock.
  kStale,   ///< Another machine has replaced the file: it has to be opened again.
  kCannot,  ///< The system or the file system has no locks; see errno.
};

/// Locks a file as a whole.
Locked LockFile(const File& file, bool waits);
void UnlockFile(const File& file);

/// Locks a folder as a whole, while the result is open, and waits for that. On systems that cannot lock folders, this
/// locks a file called `name` in it, which is removed afterwards. Not open if the folder cannot be locked; see errno.
class FolderLock {
 public:
  FolderLock(const std::string& folder, const std::string& name);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  bool is_held() const { return file_.is_open(); }

 private:
  File file_;
};

#if defined(ZARR_LINUX) || defined(_WIN32)
#define ZARR_LOCKS_RANGES

enum class LockMode { kShared, kExclusive };

/// Locks numbers of a file. They are not bytes of its content, which stays free. `count` 0 means all from `start` on.
Locked LockRange(const File& file, LockMode mode, std::uint64_t start, std::uint64_t count, bool waits);
/// Unlocks a range that was locked as a whole.
void UnlockRange(const File& file, std::uint64_t start, std::uint64_t count);
/// Returns true if another file object has locked a number exclusively. Returns false if this cannot be determined.
bool IsLockedElsewhere(const File& file, std::uint64_t number);
#endif

}  // namespace zarr
