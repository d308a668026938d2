// SPDX-License-Identifier: MIT
#include "zarrlib/store/files/folder_names.h"

#include <cerrno>

#include "zarrlib/base/system/folder.h"

namespace zarr {

std::vector<std::string> ListNames(const std::string& folder, std::error_code* error) {
  error->clear();
  std::vector<std::string> names;
  Folder open = Folder::Open(folder);
  Folder::Entry entry;
  while (open.is_open() && open.Next(&entry)) names.push_back(entry.name);
  if (open.is_open() && errno == 0) return names;
  error->assign(errno, std::generic_category());
  return {};
}

}  // namespace zarr
