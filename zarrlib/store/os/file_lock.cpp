// SPDX-License-Identifier: MIT
#include "zarrlib/store/os/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <exception>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "zarrlib/store/os/file_stamp.h"
#include "zarrlib/store/os/posix_file.h"

namespace zarr {
namespace {

constexpr int kOpenFlags = O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;

enum class Outcome { kHeld, kBusy, kCannot };

#ifdef F_OFD_SETLK

/// Byte 0 is the gate: a thread that locks all values closes it, and waits for the threads that have passed it. Without
/// the gate, threads that lock one value after the other could keep that thread waiting forever.
constexpr off_t kGate = 0;
/// The number of bytes that the values share by the hash of their keys.
constexpr std::uint64_t kBytes = (std::uint64_t{1} << 62) - 1;

/// Returns the FNV-1a hash of a string: all builds of all processes must agree on it.
std::uint64_t Hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char character : text) hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3u;
  return hash;
}

/// Locks or unlocks a range of bytes; length 0 means all from the start on. These locks belong to the open file, not to
/// the process: they also exclude threads, and closing another descriptor of the file does not end them.
Outcome SetLock(int file, short type, off_t start, off_t length, bool waits) {
  struct flock range {};
  range.l_type = type;
  range.l_whence = SEEK_SET;
  range.l_start = start;
  range.l_len = length;
  if (Retry([&] { return ::fcntl(file, waits ? F_OFD_SETLKW : F_OFD_SETLK, &range); }) == 0) return Outcome::kHeld;
  return errno == EAGAIN || errno == EACCES ? Outcome::kBusy : Outcome::kCannot;
}

/// Returns true if another thread keeps the gate closed. Returns false if this cannot be determined.
bool IsGateClosed(int file) {
  struct flock gate {};
  gate.l_type = F_RDLCK;
  gate.l_whence = SEEK_SET;
  gate.l_start = kGate;
  gate.l_len = 1;
  return ::fcntl(file, F_OFD_GETLK, &gate) == 0 && gate.l_type != F_UNLCK;
}

Outcome LockValue(int file, std::string_view value, bool waits) {
  if (IsGateClosed(file)) {
    const Outcome passed = SetLock(file, F_RDLCK, kGate, 1, waits);
    if (passed != Outcome::kHeld) return passed;
    SetLock(file, F_UNLCK, kGate, 1, false);
  }
  return SetLock(file, F_WRLCK, static_cast<off_t>(1 + Hash(value) % kBytes), 1, waits);
}

Outcome LockAllValues(int file, bool waits) {
  const Outcome closed = SetLock(file, F_WRLCK, kGate, 1, waits);
  if (closed != Outcome::kHeld) return closed;
  return SetLock(file, F_WRLCK, kGate + 1, 0, waits);
}

Outcome LockOpenFile(int file, std::string_view value, bool waits) {
  return value.empty() ? LockAllValues(file, waits) : LockValue(file, value, waits);
}

/// The child of a fork may also have the file open, so closing it would not end the lock.
void UnlockOpenFile(int file) {
  SetLock(file, F_UNLCK, 0, 0, false);
}

#else  // systems that only lock whole files

Outcome LockOpenFile(int file, std::string_view, bool waits) {
  if (Retry([&] { return ::flock(file, waits ? LOCK_EX : LOCK_EX | LOCK_NB); }) == 0) return Outcome::kHeld;
  return errno == EWOULDBLOCK ? Outcome::kBusy : Outcome::kCannot;
}

void UnlockOpenFile(int file) {
  ::flock(file, LOCK_UN);
}

#endif

class FileLock final : public StoreLock {
 public:
  FileLock(std::shared_ptr<FileLocks> locks, FileLocks::OpenFile file)
      : locks_(std::move(locks)), file_(std::move(file)) {}
  ~FileLock() override {
    UnlockOpenFile(file_.file.get());
    locks_->Give(std::move(file_));
  }

 private:
  const std::shared_ptr<FileLocks> locks_;
  FileLocks::OpenFile file_;
};

/// Returns true if an open file is on another machine.
bool IsOnNetwork(int file) {
#ifdef __linux__
  // From statfs(2): NFS, CIFS, SMB2, Ceph, AFS, Lustre, GPFS, FUSE (such as sshfs).
  constexpr std::array<std::uint32_t, 8> kNetworks = {0x6969,     0xff534d42, 0xfe534d42, 0x00c36400,
                                                      0x5346414f, 0x0bd00bd0, 0x47504653, 0x65735546};
  struct statfs status;
  if (::fstatfs(file, &status) != 0) return true;
  const auto type = static_cast<std::uint32_t>(status.f_type);
  return std::find(kNetworks.begin(), kNetworks.end(), type) != kNetworks.end();
#else
  static_cast<void>(file);
  return true;
#endif
}

/// Returns the status of the file that has the name now; nullopt if there is none. For a remote file, opens the
/// file again: unlike stat(), this always asks the server.
std::optional<struct stat> LookUp(const std::string& path, bool on_network) {
  struct stat status;
  if (!on_network) {
    if (::stat(path.c_str(), &status) == 0) return status;
  } else {
    const File file(Retry([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK); }));
    if (file.get() >= 0 && ::fstat(file.get(), &status) == 0) return status;
  }
  if (!MeansAbsent(errno)) ThrowSystemError("get the status");
  return std::nullopt;
}

bool IsFile(const struct stat& status, const FileLocks::OpenFile& file) {
  return status.st_dev == file.device && status.st_ino == file.inode;
}

/// Unlocks a file if an exception ends the block. Closing it is not enough: a child process may also have it open.
class UnlockOnError {
 public:
  explicit UnlockOnError(int file) : file_(file) {}
  UnlockOnError(const UnlockOnError&) = delete;
  UnlockOnError& operator=(const UnlockOnError&) = delete;
  ~UnlockOnError() {
    if (std::uncaught_exceptions() > exceptions_) UnlockOpenFile(file_);
  }

 private:
  int file_;
  int exceptions_ = std::uncaught_exceptions();
};

FileLockResult Fail(const std::string& path) {
  FileLockResult failed;
  failed.fault = "cannot lock " + path + ": " + std::generic_category().message(errno);
  return failed;
}

}  // namespace

FileLocks::OpenFile FileLocks::Take(const std::string& path) {
  const pid_t process = ::getpid();
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
  OpenFile file{path, File(Retry([&] { return ::open(path.c_str(), kOpenFlags); })), 0, 0, false, process};
  struct stat status;
  if (file.file.get() < 0) return file;
  if (::fstat(file.file.get(), &status) != 0) ThrowSystemError("get the status");
  file.device = status.st_dev;
  file.inode = status.st_ino;
  file.on_network = IsOnNetwork(file.file.get());
  return file;
}

void FileLocks::Give(OpenFile file) {
  const std::lock_guard lock(mutex_);
  if (files_.size() == kMaxFiles) files_.erase(files_.begin());
  files_.push_back(std::move(file));
}

FileLockResult FileLocks::Lock(const std::string& path, std::string_view value, bool waits) {
  FileLockResult absent;
  absent.result.has_document = false;
  while (true) {
    OpenFile file = Take(path);
    if (file.file.get() < 0) return MeansAbsent(errno) ? std::move(absent) : Fail(path);
    const UnlockOnError unlock(file.file.get());
    const Outcome outcome = LockOpenFile(file.file.get(), value, waits);
    if (outcome == Outcome::kCannot && errno == ESTALE) continue;  // another machine has replaced the file
    if (outcome == Outcome::kCannot) {
      FileLockResult failed = Fail(path);
      UnlockOpenFile(file.file.get());  // a part of it may be locked
      return failed;
    }
    if (outcome == Outcome::kBusy) {
      UnlockOpenFile(file.file.get());  // it may have closed the gate
      const auto named = LookUp(path, file.on_network);
      if (!named || IsFile(*named, file)) return Give(std::move(file)), FileLockResult();
      continue;
    }
    const auto named = LookUp(path, file.on_network);
    const bool is_named = named && IsFile(*named, file);
    FileLockResult held;
    if (is_named) {
      held.result.stamp = MakeFileStamp(*named);
      held.result.lock = std::make_unique<FileLock>(shared_from_this(), std::move(file));
      return held;
    }
    UnlockOpenFile(file.file.get());
    if (!named) return absent;
  }
}

}  // namespace zarr
