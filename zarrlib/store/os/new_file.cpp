// SPDX-License-Identifier: MIT
#include "zarrlib/store/os/new_file.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "zarrlib/store/store.h"

namespace zarr {

namespace {

std::string MakePathIn(const std::string& folder) {
  return folder + "/" + MakeTemporaryName();
}

bool AreOnOneFileSystem(const std::string& a, const std::string& b) {
  struct stat status_a, status_b;
  return ::stat(a.c_str(), &status_a) == 0 && ::stat(b.c_str(), &status_b) == 0 && status_a.st_dev == status_b.st_dev;
}

/// Changes the owner first, because that may clear permissions.
void InheritPermissions(int file, const struct stat& fresh, const struct stat& old) {
  constexpr mode_t kPermissions = 07777;
  const bool other_owner = fresh.st_uid != old.st_uid || fresh.st_gid != old.st_gid;
  // Only privileged processes may change the owner; others can at least set a group that they are in.
  if (other_owner && ::fchown(file, old.st_uid, old.st_gid) != 0) ::fchown(file, static_cast<uid_t>(-1), old.st_gid);
  if (other_owner || ((fresh.st_mode ^ old.st_mode) & kPermissions) != 0) ::fchmod(file, old.st_mode & kPermissions);
}

/// Sets the times of a new file so that its stamp differs from the old file's stamp, even if both are written within
/// one tick of the file system's clock and the inode is reused.
void MakeNewer(int file, const struct stat& fresh, const struct stat& old) {
  if (GetNanoseconds(fresh.st_mtim) > GetNanoseconds(old.st_mtim)) return;
  timespec time = old.st_mtim;
  if (++time.tv_nsec == 1000000000) time = {time.tv_sec + 1, 0};
  const timespec times[2] = {{0, UTIME_OMIT}, time};
  ::futimens(file, times);
}

}  // namespace

NewFile::NewFile(std::string folder, std::string temporary_folder, Kind kind)
    : folder_(std::move(folder)), temporary_folder_(std::move(temporary_folder)) {
  try {
    if (kind == Kind::kFirstInFolder) MakeFolder();
    if (kind == Kind::kNamed || !OpenUnnamed()) OpenNamed();
  } catch (...) {
    RemoveEmptyFolders(made_folders_);
    throw;
  }
}

NewFile::~NewFile() {
  if (!name_.empty()) ::unlink(name_.c_str());
  if (!is_complete_) RemoveEmptyFolders(made_folders_);
}

void NewFile::MakeFolder() {
  made_folders_.reserve(made_folders_.size() + std::count(folder_.begin(), folder_.end(), '/') + 1);
  for (std::string& folder : MakeFolders(folder_)) made_folders_.push_back(std::move(folder));
}

#ifdef O_TMPFILE

bool NewFile::OpenUnnamed() {
  const auto open = [&] {
    return File(Retry([&] { return ::open(folder_.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666); }));
  };
  file_ = open();
  if (file_.get() < 0 && errno == ENOENT) {
    MakeFolder();
    file_ = open();
  }
  return file_.get() >= 0;
}

bool NewFile::Link(const std::string& path) const {
  // This way is documented in linkat(2). AT_EMPTY_PATH needs privileges in Linux before 6.10.
  const std::string unnamed = "/proc/self/fd/" + std::to_string(file_.get());
  return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

#else

bool NewFile::OpenUnnamed() {
  return false;
}

bool NewFile::Link(const std::string&) const {
  return false;
}

#endif

void NewFile::OpenNamed() {
  if (temporary_folder_ != folder_) {
    // Two folders can be compared only if both exist.
    MakeFolder();
    if (AreOnOneFileSystem(temporary_folder_, folder_) && OpenNamedIn(temporary_folder_)) return;
  }
  if (!RetryInFolder([&] { return OpenNamedIn(folder_); })) ThrowSystemError("create a file");
}

/// Another writer may remove the folder while it is empty.
template <typename Function>
bool NewFile::RetryInFolder(const Function& function) {
  constexpr int kTries = 10;
  for (int i = 0; !function(); ++i) {
    if (errno != ENOENT || i == kTries) return false;
    MakeFolder();
  }
  return true;
}

bool NewFile::OpenNamedIn(const std::string& folder) {
  while (true) {
    std::string name = MakePathIn(folder);
    file_ = File(Retry([&] { return ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }));
    if (file_.get() < 0 && errno != EEXIST) return false;
    if (file_.get() < 0) continue;
    // A process that removes abandoned files may have considered the file abandoned before it was locked.
    ::flock(file_.get(), LOCK_EX);
    struct stat status;
    if (::fstat(file_.get(), &status) == 0 && status.st_nlink == 0) continue;
    name_ = std::move(name);
    return true;
  }
}

void NewFile::Write(ByteSpan value) {
  while (!value.empty()) {
    const ssize_t count = Retry([&] { return ::write(file_.get(), value.data(), value.size()); });
    if (count <= 0) ThrowSystemError("write");
    value = value.subspan(static_cast<std::size_t>(count));
  }
}

void NewFile::Sync() {
  if (Retry([&] { return ::fsync(file_.get()); }) != 0) ThrowSystemError("force to the disk");
}

bool NewFile::Become(const std::string& path) {
  Flush();
  if (name_.empty()) {
    is_complete_ = Link(path);
    if (is_complete_) return true;
    // A link cannot replace a file; only a named file can.
    if (errno != EEXIST || !TakeTemporaryName()) return false;
  }
  Inherit(path);
  if (!RetryInFolder([&] { return ::rename(name_.c_str(), path.c_str()) == 0; })) {
    ThrowSystemError("put the new file in place");
  }
  name_.clear();
  is_complete_ = true;
  return true;
}

std::optional<bool> NewFile::AddName(const std::string& path) {
  Flush();
  is_complete_ = RetryInFolder([&] { return name_.empty() ? Link(path) : ::link(name_.c_str(), path.c_str()) == 0; });
  if (is_complete_) return true;
  if (errno == EEXIST) return false;
  if (name_.empty()) return std::nullopt;
  if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK) return std::nullopt;
  ThrowSystemError("put the new file in place");
}

/// Some file systems report a failed write only when a descriptor is closed.
void NewFile::Flush() const {
  const int copy = Retry([&] { return ::dup(file_.get()); });
  if (copy < 0 || (::close(copy) != 0 && errno != EINTR)) ThrowSystemError("write");
}

bool NewFile::TakeTemporaryName() {
  ::flock(file_.get(), LOCK_EX);
  return TakeTemporaryNameIn(temporary_folder_) || (temporary_folder_ != folder_ && TakeTemporaryNameIn(folder_));
}

bool NewFile::TakeTemporaryNameIn(const std::string& folder) {
  std::string name = MakePathIn(folder);
  while (!Link(name)) {
    if (errno != EEXIST) return false;
    name = MakePathIn(folder);
  }
  name_ = std::move(name);
  return true;
}

void NewFile::Inherit(const std::string& path) const {
  struct stat old, fresh;
  if (::stat(path.c_str(), &old) != 0 || ::fstat(file_.get(), &fresh) != 0) return;
  InheritPermissions(file_.get(), fresh, old);
  MakeNewer(file_.get(), fresh, old);
}

}  // namespace zarr
