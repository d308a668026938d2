// SPDX-License-Identifier: MIT
#include "zarrlib/store/os/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>

namespace zarr {

std::optional<File> HoldLockFile(const std::string& path) {
  while (true) {
    MakeFolders(GetParent(path));
    File file(Retry([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666); }));
    if (file.get() < 0 && errno == ENOENT) continue;  // another process removed the folder
    if (file.get() < 0) ThrowSystemError("open " + path);
    if (Retry([&] { return ::flock(file.get(), LOCK_EX | LOCK_NB); }) != 0) {
      if (errno != EWOULDBLOCK) ThrowSystemError("lock " + path);
      return std::nullopt;
    }
    struct stat status;
    if (::fstat(file.get(), &status) == 0 && status.st_nlink > 0) return file;
  }
}

}  // namespace zarr
