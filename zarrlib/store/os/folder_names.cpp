// SPDX-License-Identifier: MIT
#include "zarrlib/store/os/folder_names.h"

#include <dirent.h>

#include <cerrno>
#include <memory>
#include <string_view>

namespace zarr {
namespace {

struct Close {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

DIR* OpenFolder(const std::string& path) {
  DIR* folder = ::opendir(path.c_str());
  while (!folder && errno == EINTR) folder = ::opendir(path.c_str());
  return folder;
}

}  // namespace

std::vector<std::string> ListNames(const std::string& folder, std::error_code* error) {
  error->clear();
  std::vector<std::string> names;
  const std::unique_ptr<DIR, Close> open(OpenFolder(folder));
  errno = open ? 0 : errno;
  while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  if (errno == 0) return names;
  error->assign(errno, std::generic_category());
  return {};
}

}  // namespace zarr
