// SPDX-License-Identifier: MIT
#include "zarrlib/store/filesystem_root.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "zarrlib/store/os/posix_file.h"

namespace zarr {

void FilesystemRoot::SyncNames(std::string folder, bool with_parents) const {
  SyncFolder(folder);
  // Always syncs the parent folders too: it is not known which of them are new, or are being created by another
  // process.
  if (!with_parents) return;
  while (folder.size() > path.size()) {
    folder = GetParent(folder);
    SyncFolder(folder);
  }
  SyncFolder(GetParent(path));
}

std::string TrimFolderName(std::string name) {
  if (name.empty()) name = ".";
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  return name;
}

void SyncFolder(const std::string& folder) {
  const File file(Retry([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (file.get() < 0) ThrowSystemError("open the folder");
  // Some network file systems do not support this, and do not need it.
  if (Retry([&] { return ::fsync(file.get()); }) != 0 && errno != EINVAL)
    ThrowSystemError("force the folder to the disk");
}

}  // namespace zarr
