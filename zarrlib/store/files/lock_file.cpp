// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/lock_file.h"

#include <cerrno>

#include "zarrlib/base/system/locks.h"
#include "zarrlib/store/files/paths.h"

namespace zarr {

std::optional<File> HoldLockFile(const std::string& path) {
  while (true) {
    MakeFolders(GetParent(path));
    File file = OpenOrMake(path);
    if (!file.is_open() && errno == ENOENT) continue;  // another process removed the folder
    if (!file.is_open()) ThrowSystemError("open " + path);
    const Locked locked = LockFile(file, false);
    if (locked == Locked::kCannot) ThrowSystemError("lock " + path);
    if (locked == Locked::kBusy) return std::nullopt;
    if (locked == Locked::kStale) continue;
    const auto status = GetStatus(file);
    if (status && status->names > 0) return file;
  }
}

}  // namespace zarr
