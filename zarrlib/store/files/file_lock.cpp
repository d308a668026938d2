// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/file_lock.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "zarrlib/base/system/file_names.h"
#include "zarrlib/base/system/locks.h"
#include "zarrlib/base/system/process_id.h"
#include "zarrlib/store/files/file_stamp.h"
#include "zarrlib/store/files/paths.h"

namespace zarr {
namespace {

#ifdef ZARR_LOCKS_RANGES

/// Number 0 is the gate: a thread that locks all values closes it, and waits for the threads that have passed it.
/// Without the gate, threads that lock one value after the other could keep that thread waiting forever.
constexpr std::uint64_t kGate = 0;
/// The count of numbers that the values share by the hash of their keys.
constexpr std::uint64_t kNumbers = (std::uint64_t{1} << 62) - 1;

/// Returns the number of a value, by the FNV-1a hash of its key: all builds of all processes must agree on it.
std::uint64_t GetNumber(std::string_view value) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char character : value) hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3u;
  return 1 + hash % kNumbers;
}

Locked LockValue(const File& file, std::string_view value, bool waits) {
  if (IsLockedElsewhere(file, kGate)) {
    const Locked passed = LockRange(file, LockMode::kShared, kGate, 1, waits);
    if (passed != Locked::kHeld) return passed;
    UnlockRange(file, kGate, 1);
  }
  return LockRange(file, LockMode::kExclusive, GetNumber(value), 1, waits);
}

Locked LockAllValues(const File& file, bool waits) {
  const Locked closed = LockRange(file, LockMode::kExclusive, kGate, 1, waits);
  if (closed != Locked::kHeld) return closed;
  return LockRange(file, LockMode::kExclusive, kGate + 1, 0, waits);
}

Locked LockOpenFile(const File& file, std::string_view value, bool waits) {
  return value.empty() ? LockAllValues(file, waits) : LockValue(file, value, waits);
}

/// Also ends what an attempt that failed has locked. The child of a fork may have the file open too, so closing it
/// would not end the lock.
void UnlockOpenFile(const File& file, std::string_view value) {
  if (!value.empty()) return UnlockRange(file, GetNumber(value), 1);
  UnlockRange(file, kGate + 1, 0);
  UnlockRange(file, kGate, 1);
}

#else  // systems that only lock whole files

Locked LockOpenFile(const File& file, std::string_view, bool waits) {
  return LockFile(file, waits);
}

void UnlockOpenFile(const File& file, std::string_view) {
  UnlockFile(file);
}

#endif

class FileLock final : public StoreLock {
 public:
  FileLock(std::shared_ptr<FileLocks> locks, FileLocks::OpenFile file, std::string value)
      : locks_(std::move(locks)), file_(std::move(file)), value_(std::move(value)) {}
  ~FileLock() override {
    UnlockOpenFile(file_.file, value_);
    locks_->Give(std::move(file_));
  }

 private:
  const std::shared_ptr<FileLocks> locks_;
  FileLocks::OpenFile file_;
  const std::string value_;
};

/// Returns the status of the file that has the name now; nullopt if there is none. For a remote file, opens the
/// file again: unlike stat(), this always asks the server.
std::optional<FileStatus> LookUp(const std::string& path, bool on_network) {
  std::optional<FileStatus> status;
  if (!on_network) {
    status = GetStatus(path, Links::kFollow);
  } else if (const File file = OpenToRead(path); file.is_open()) {
    status = GetStatus(file);
  }
  if (!status && !MeansAbsent(errno)) ThrowSystemError("get the status");
  return status;
}

/// Unlocks a file if an exception ends the block. Closing it is not enough: a child process may also have it open.
class UnlockOnError {
 public:
  UnlockOnError(const File& file, std::string_view value) : file_(file), value_(value) {}
  UnlockOnError(const UnlockOnError&) = delete;
  UnlockOnError& operator=(const UnlockOnError&) = delete;
  ~UnlockOnError() {
    if (std::uncaught_exceptions() > exceptions_) UnlockOpenFile(file_, value_);
  }

 private:
  const File& file_;
  const std::string_view value_;
  const int exceptions_ = std::uncaught_exceptions();
};

FileLockResult Fail(const std::string& path) {
  FileLockResult failed;
  failed.fault = "cannot lock " + path + ": " + std::generic_category().message(errno);
  return failed;
}

}  // namespace

FileLocks::OpenFile FileLocks::Take(const std::string& path) {
  const long process = GetProcessId();
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(files_, [&](const OpenFile& file) { return file.process != process; });
    const auto found =
        std::find_if(files_.rbegin(), files_.rend(), [&](const auto& file) { return file.path == path; });
    if (found != files_.rend()) {
      OpenFile file = std::move(*found);
      files_.erase(std::next(found).base());
      return file;
    }
  }
  OpenFile file{path, OpenToLock(path), {}, false, process};
  if (!file.file.is_open()) return file;
  const auto status = GetStatus(file.file);
  if (!status) ThrowSystemError("get the status");
  file.identity = status->identity;
  file.on_network = IsOnNetwork(file.file);
  return file;
}

void FileLocks::Give(OpenFile file) {
  if (kOpenFilesKeepNames) return;  // the folder of a removed document could not be removed
  const std::lock_guard lock(mutex_);
  if (files_.size() == kMaxFiles) files_.erase(files_.begin());
  files_.push_back(std::move(file));
}

FileLockResult FileLocks::Lock(const std::string& path, std::string_view value, bool waits) {
  FileLockResult absent;
  absent.result.has_document = false;
  while (true) {
    OpenFile file = Take(path);
    if (!file.file.is_open()) return MeansAbsent(errno) ? std::move(absent) : Fail(path);
    const UnlockOnError unlock(file.file, value);
    const Locked outcome = LockOpenFile(file.file, value, waits);
    if (outcome == Locked::kStale) continue;
    if (outcome == Locked::kCannot) {
      FileLockResult failed = Fail(path);
      UnlockOpenFile(file.file, value);  // a part of it may be locked
      return failed;
    }
    if (outcome == Locked::kBusy) UnlockOpenFile(file.file, value);  // it may have closed the gate
    const auto named = LookUp(path, file.on_network);
    const bool is_named = named && named->identity == file.identity;
    if (outcome == Locked::kBusy) {
      if (!named || is_named) return Give(std::move(file)), FileLockResult();
      continue;
    }
    if (is_named) {
      FileLockResult held;
      held.result.stamp = MakeFileStamp(*named);
      held.result.lock = std::make_unique<FileLock>(shared_from_this(), std::move(file), std::string(value));
      return held;
    }
    UnlockOpenFile(file.file, value);
    if (!named) return absent;
  }
}

}  // namespace zarr
