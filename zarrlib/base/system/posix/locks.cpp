// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/locks.h"

#include <fcntl.h>
#include <sys/file.h>

#include "zarrlib/base/system/posix/retry.h"

namespace zarr {
namespace {

Locked GetFailure() {
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EACCES) return Locked::kBusy;
  return errno == ESTALE ? Locked::kStale : Locked::kCannot;
}

}  // namespace

Locked LockFile(const File& file, bool waits) {
  if (Retry([&] { return ::flock(file.get(), waits ? LOCK_EX : LOCK_EX | LOCK_NB); }) == 0) return Locked::kHeld;
  return GetFailure();
}

void UnlockFile(const File& file) {
  ::flock(file.get(), LOCK_UN);
}

FolderLock::FolderLock(const std::string& folder, const std::string&) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK;
  File file(Retry([&] { return ::open(folder.c_str(), kFlags); }));
  if (file.is_open() && LockFile(file, true) == Locked::kHeld) file_ = std::move(file);
}

FolderLock::~FolderLock() {
  if (is_held()) UnlockFile(file_);
}

#ifdef ZARR_LOCKS_RANGES

namespace {

/// Sets a lock that belongs to the open file, not to the process: it also excludes threads, and closing another
/// descriptor of the file does not end it.
Locked SetLock(const File& file, short type, std::uint64_t start, std::uint64_t count, bool waits) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(start);
  range.l_len = static_cast<off_t>(count);
  if (Retry([&] { return ::fcntl(file.get(), waits ? F_OFD_SETLKW : F_OFD_SETLK, &range); }) == 0) return Locked::kHeld;
  return GetFailure();
}

}  // namespace

Locked LockRange(const File& file, LockMode mode, std::uint64_t start, std::uint64_t count, bool waits) {
  return SetLock(file, mode == LockMode::kShared ? F_RDLCK : F_WRLCK, start, count, waits);
}

void UnlockRange(const File& file, std::uint64_t start, std::uint64_t count) {
  SetLock(file, F_UNLCK, start, count, false);
}

bool IsLockedElsewhere(const File& file, std::uint64_t number) {
  struct flock range {};
  range.l_type = F_RDLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(number);
  range.l_len = 1;
  return ::fcntl(file.get(), F_OFD_GETLK, &range) == 0 && range.l_type != F_UNLCK;
}

#endif

}  // namespace zarr
