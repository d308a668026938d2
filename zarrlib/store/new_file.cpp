#include "zarrlib/store/new_file.h"

#include <fcntl.h>

#include <cstdio>
#include <utility>

#include "zarrlib/store/store.h"

namespace zarr {

NewFile::NewFile(std::string folder, Kind kind) : folder_(std::move(folder)) {
  if (kind == Kind::kNamed || !OpenUnnamed()) OpenNamed();
}

NewFile::~NewFile() {
  if (!name_.empty()) ::unlink(name_.c_str());
}

void NewFile::MakeFolder() {
  MakeFolders(folder_);
  made_folders_ = true;
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
  // linkat(2) gives this way; AT_EMPTY_PATH is for the privileged alone where Linux is older than 6.10.
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

std::string NewFile::NextPath() const {
  return folder_ + "/" + TemporaryName();
}

void NewFile::OpenNamed() {
  while (true) {
    std::string name = NextPath();
    file_ = File(Retry([&] { return ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }));
    if (file_.get() >= 0) {
      name_ = std::move(name);
      return;
    }
    if (errno == EEXIST) continue;  // left by a process that had this one's number
    if (errno != ENOENT || made_folders_) ThrowSystemError("create a file");
    MakeFolder();
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
    if (Link(path)) return true;
    // A link replaces nothing: what is there gives way to a name only.
    if (errno != EEXIST || !TakeTemporaryName()) return false;
  }
  MakeNewerThan(path);
  if (::rename(name_.c_str(), path.c_str()) != 0) ThrowSystemError("put the new file in place");
  name_.clear();
  return true;
}

/// Some file systems tell only when a descriptor is closed that they could not write.
void NewFile::Flush() const {
  const int copy = ::dup(file_.get());
  if (copy < 0 || (::close(copy) != 0 && errno != EINTR)) ThrowSystemError("write");
}

bool NewFile::TakeTemporaryName() {
  std::string name = NextPath();
  while (!Link(name)) {
    if (errno != EEXIST) return false;
    name = NextPath();
  }
  name_ = std::move(name);
  return true;
}

/// Two values of a key that are written within one tick of the file system's clock differ in their stamps all the
/// same, even if the inode of the one before the last is used again.
void NewFile::MakeNewerThan(const std::string& path) const {
  struct stat old, fresh;
  if (::stat(path.c_str(), &old) != 0 || ::fstat(file_.get(), &fresh) != 0) return;
  if (Nanoseconds(fresh.st_mtim) > Nanoseconds(old.st_mtim)) return;
  timespec time = old.st_mtim;
  if (++time.tv_nsec == 1000000000) time = {time.tv_sec + 1, 0};
  const timespec times[2] = {{0, UTIME_OMIT}, time};
  ::futimens(file_.get(), times);
}

}  // namespace zarr
