// SPDX-License-Identifier: MIT
#include "zarrlib/store/os/folder_listing.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include "zarrlib/store/os/posix_file.h"

namespace zarr {
namespace {

enum class Listed { kAsKey, kAsPrefix, kNot };

Listed GetKind(mode_t mode) {
  if (S_ISREG(mode)) return Listed::kAsKey;
  return S_ISDIR(mode) ? Listed::kAsPrefix : Listed::kNot;
}

/// Follows symbolic links. Broken and circular links are neither keys nor prefixes.
Listed GetKind(DIR* folder, const dirent& entry) {
  if (entry.d_type == DT_REG) return Listed::kAsKey;
  if (entry.d_type == DT_DIR) return Listed::kAsPrefix;
  if (entry.d_type != DT_LNK && entry.d_type != DT_UNKNOWN) return Listed::kNot;
  struct stat status;
  if (::fstatat(::dirfd(folder), entry.d_name, &status, 0) == 0) return GetKind(status.st_mode);
  if (!MeansAbsent(errno) && errno != ELOOP) {
    ThrowSystemError("get the status of \"" + std::string(entry.d_name) + "\"");
  }
  return Listed::kNot;
}

bool IsHidden(std::string_view name) {
  return name == "." || name == ".." || name.starts_with(kTemporaryPrefix);
}

/// Returns null, and sets errno, if the folder cannot be opened.
DIR* OpenFolder(const std::string& path) {
  DIR* folder = ::opendir(path.c_str());
  while (folder == nullptr && errno == EINTR) folder = ::opendir(path.c_str());
  return folder;
}

}  // namespace

Listing ListShown(const std::string& path) {
  Listing listing;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(OpenFolder(path), &::closedir);
  if (!folder) {
    if (!MeansAbsent(errno)) ThrowSystemError("list");
    return listing;
  }
  while (true) {
    errno = 0;
    const dirent* entry = ::readdir(folder.get());
    if (entry == nullptr) break;
    if (IsHidden(entry->d_name)) continue;
    const Listed kind = GetKind(folder.get(), *entry);
    if (kind == Listed::kAsKey) listing.keys.emplace_back(entry->d_name);
    if (kind == Listed::kAsPrefix) listing.prefixes.emplace_back(entry->d_name);
  }
  if (errno != 0) ThrowSystemError("list");
  std::sort(listing.keys.begin(), listing.keys.end());
  std::sort(listing.prefixes.begin(), listing.prefixes.end());
  return listing;
}

}  // namespace zarr
