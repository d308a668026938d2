// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/locks.h"

#include "zarrlib/base/system/windows/windows_names.h"

namespace zarr {
namespace {

/// A locked byte cannot be read by others, so all locked bytes are past the end of any file.
constexpr std::uint64_t kFirst = std::uint64_t{1} << 62;
/// The count of numbers that can be locked.
constexpr std::uint64_t kNumbers = std::uint64_t{1} << 62;
/// The byte that stands for the whole file.
constexpr std::uint64_t kWhole = kFirst + kNumbers;

OVERLAPPED MakeLockPosition(std::uint64_t offset) {
  OVERLAPPED position{};
  position.Offset = static_cast<DWORD>(offset);
  position.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return position;
}

Locked Lock(const File& file, DWORD flags, std::uint64_t offset, std::uint64_t count) {
  OVERLAPPED position = MakeLockPosition(offset);
  if (::LockFileEx(file.get(), flags, 0, static_cast<DWORD>(count), static_cast<DWORD>(count >> 32), &position)) {
    return Locked::kHeld;
  }
  const DWORD error = ::GetLastError();
  windows::Fail(error);
  return error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING ? Locked::kBusy : Locked::kCannot;
}

void Unlock(const File& file, std::uint64_t offset, std::uint64_t count) {
  OVERLAPPED position = MakeLockPosition(offset);
  ::UnlockFileEx(file.get(), 0, static_cast<DWORD>(count), static_cast<DWORD>(count >> 32), &position);
}

DWORD GetFlags(LockMode mode, bool waits) {
  return (mode == LockMode::kExclusive ? LOCKFILE_EXCLUSIVE_LOCK : 0u) | (waits ? 0u : LOCKFILE_FAIL_IMMEDIATELY);
}

std::uint64_t GetCount(std::uint64_t start, std::uint64_t count) {
  return count == 0 ? kNumbers - start : count;
}

}  // namespace

Locked LockFile(const File& file, bool waits) {
  return Lock(file, GetFlags(LockMode::kExclusive, waits), kWhole, 1);
}

void UnlockFile(const File& file) {
  Unlock(file, kWhole, 1);
}

FolderLock::FolderLock(const std::string& folder, const std::string& name) {
  constexpr DWORD kFlags = FILE_ATTRIBUTE_HIDDEN | FILE_FLAG_DELETE_ON_CLOSE;
  const std::wstring path = windows::ToSystemPath(folder + "/" + name);
  for (DWORD pause = 1;; pause = pause < 50 ? pause * 2 : pause) {
    file_ = File(::CreateFileW(path.c_str(), GENERIC_WRITE | DELETE, 0, nullptr, OPEN_ALWAYS, kFlags, nullptr));
    if (file_.is_open()) return;
    const DWORD error = ::GetLastError();
    // The file of another holder is in use, or is about to be removed.
    const bool is_held =
        error == ERROR_SHARING_VIOLATION || error == ERROR_DELETE_PENDING ||
        (error == ERROR_ACCESS_DENIED && ::GetFileAttributesW(path.c_str()) != INVALID_FILE_ATTRIBUTES);
    if (!is_held) {
      windows::Fail(error);
      return;
    }
    ::Sleep(pause);
  }
}

FolderLock::~FolderLock() = default;

Locked LockRange(const File& file, LockMode mode, std::uint64_t start, std::uint64_t count, bool waits) {
  return Lock(file, GetFlags(mode, waits), kFirst + start, GetCount(start, count));
}

void UnlockRange(const File& file, std::uint64_t start, std::uint64_t count) {
  Unlock(file, kFirst + start, GetCount(start, count));
}

bool IsLockedElsewhere(const File& file, std::uint64_t number) {
  const Locked shared = LockRange(file, LockMode::kShared, number, 1, false);
  if (shared == Locked::kHeld) UnlockRange(file, number, 1);
  return shared == Locked::kBusy;
}

}  // namespace zarr
