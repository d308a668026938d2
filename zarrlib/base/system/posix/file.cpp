// SPDX-License-Identifier: MIT
#include "zarrlib/base/system/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

#include "zarrlib/base/system/posix/retry.h"
#include "zarrlib/base/system/posix/status.h"
#include "zarrlib/base/system/which_system.h"

namespace zarr {
namespace {

constexpr mode_t kNewMode = 0666;  // less the umask
/// Without O_NONBLOCK, opening a named pipe waits for a writer.
constexpr int kReadFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
constexpr int kWriteFlags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

File Open(const std::string& path, int flags) {
  return File(Retry([&] { return ::open(path.c_str(), flags, kNewMode); }));
}

std::int64_t GetNanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

/// Changes the owner first, because that may clear permissions.
void InheritPermissions(int file, const struct stat& fresh, const struct stat& old) {
  constexpr mode_t kPermissions = 07777;
  const bool other_owner = fresh.st_uid != old.st_uid || fresh.st_gid != old.st_gid;
  // Only privileged processes may change the owner; others can at least set a group that they are in.
  if (other_owner && ::fchown(file, old.st_uid, old.st_gid) != 0) {
    const int failed = ::fchown(file, static_cast<uid_t>(-1), old.st_gid);
    static_cast<void>(failed);
  }
  if (other_owner || ((fresh.st_mode ^ old.st_mode) & kPermissions) != 0) ::fchmod(file, old.st_mode & kPermissions);
}

/// Sets the times of a new file so that its stamp differs from the old file's stamp, even if both are written within
/// one tick of the file system's clock and the inode is reused.
void MakeNewer(int file, const struct stat& fresh, const struct stat& old) {
  if (GetNanoseconds(GetModified(fresh)) > GetNanoseconds(GetModified(old))) return;
  timespec time = GetModified(old);
  if (++time.tv_nsec == 1000000000) time = {time.tv_sec + 1, 0};
  const timespec times[2] = {{0, UTIME_OMIT}, time};
  ::futimens(file, times);
}

}  // namespace

File::~File() {
  if (handle_ >= 0) ::close(handle_);
}

FileKind GetKindOfMode(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kFile;
  if (S_ISDIR(mode)) return FileKind::kFolder;
  return S_ISLNK(mode) ? FileKind::kLink : FileKind::kOther;
}

FileStatus MakeFileStatus(const struct stat& status) {
  return {.kind = GetKindOfMode(status.st_mode),
          .size = static_cast<std::uint64_t>(status.st_size),
          .modified = GetNanoseconds(GetModified(status)),
          .changed = GetNanoseconds(GetChanged(status)),
          .identity = {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)},
          .names = static_cast<std::uint64_t>(status.st_nlink)};
}

std::optional<FileStatus> GetStatus(const File& file) {
  struct stat status;
  if (::fstat(file.get(), &status) != 0) return std::nullopt;
  return MakeFileStatus(status);
}

std::optional<FileStatus> GetStatus(const std::string& path, Links links) {
  struct stat status;
  const int failed = links == Links::kFollow ? ::stat(path.c_str(), &status) : ::lstat(path.c_str(), &status);
  if (failed != 0) return std::nullopt;
  return MakeFileStatus(status);
}

std::int64_t GetTimeOfFiles() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return GetNanoseconds(now);
}

File OpenToRead(const std::string& path) {
  return Open(path, kReadFlags);
}

File OpenToLock(const std::string& path) {
  return Open(path, kWriteFlags);
}

File OpenOrMake(const std::string& path) {
  return Open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW);
}

File MakeFile(const std::string& path) {
  return Open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC);
}

File MakeUnnamedFile([[maybe_unused]] const std::string& folder) {
#ifdef ZARR_LINUX
  return Open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC);
#else
  errno = ENOTSUP;
  return File();
#endif
}

File MakeScratchFile(const std::string& folder) {
#ifdef ZARR_LINUX
  File unnamed(Retry([&] { return ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600); }));
  if (unnamed.is_open()) return unnamed;
#endif
  std::string path = folder + "/zarr-XXXXXX";
  File named(::mkstemp(path.data()));
  if (!named.is_open()) return named;
  ::fcntl(named.get(), F_SETFD, FD_CLOEXEC);
  ::unlink(path.c_str());
  return named;
}

std::int64_t ReadAt(const File& file, std::uint64_t offset, MutableByteSpan buffer) {
  return Retry([&] { return ::pread(file.get(), buffer.data(), buffer.size(), static_cast<off_t>(offset)); });
}

bool Append(const File& file, ByteSpan bytes) {
  while (!bytes.empty()) {
    const auto count = Retry([&] { return ::write(file.get(), bytes.data(), bytes.size()); });
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

bool WriteAt(const File& file, std::uint64_t offset, ByteSpan bytes) {
  while (!bytes.empty()) {
    const auto count =
        Retry([&] { return ::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

std::uint64_t GetMaxFileSize() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : UINT64_MAX;
}

bool Sync(const File& file) {
#ifdef F_FULLFSYNC
  // Apple's fsync leaves the bytes in the cache of the disk. Not all its file systems have this call.
  if (Retry([&] { return ::fcntl(file.get(), F_FULLFSYNC); }) == 0) return true;
#endif
  return Retry([&] { return ::fsync(file.get()); }) == 0;
}

bool SyncNamesIn(const std::string& folder) {
  const File file = Open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // Some network file systems do not support this, and do not need it.
  return file.is_open() && (Sync(file) || errno == EINVAL);
}

bool FinishWrites(const File& file) {
  const int copy = Retry([&] { return ::dup(file.get()); });
  return copy >= 0 && (::close(copy) == 0 || errno == EINTR);
}

void InheritFrom(const std::string& path, const File& file) {
  struct stat old, fresh;
  if (::stat(path.c_str(), &old) != 0 || ::fstat(file.get(), &fresh) != 0) return;
  InheritPermissions(file.get(), fresh, old);
  MakeNewer(file.get(), fresh, old);
}

void* MapFile(const File& file, std::size_t size) {
  void* const map = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  return map == MAP_FAILED ? nullptr : map;
}

void UnmapFile(void* map, std::size_t size) {
  ::munmap(map, size);
}

void DropMappedPages([[maybe_unused]] void* map, [[maybe_unused]] std::size_t size) {
#ifdef ZARR_LINUX
  ::madvise(map, size, MADV_DONTNEED);
#endif
}

}  // namespace zarr
