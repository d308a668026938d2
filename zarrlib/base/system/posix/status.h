// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>

#include "zarrlib/base/system/file.h"

namespace zarr {

FileKind GetKindOfMode(mode_t mode);
FileStatus MakeFileStatus(const struct stat& status);

#ifdef __APPLE__
inline const timespec& GetModified(const struct stat& status) {
  return status.st_mtimespec;
}
inline const timespec& GetChanged(const struct stat& status) {
  return status.st_ctimespec;
}
#else
inline const timespec& GetModified(const struct stat& status) {
  return status.st_mtim;
}
inline const timespec& GetChanged(const struct stat& status) {
  return status.st_ctim;
}
#endif

}  // namespace zarr
