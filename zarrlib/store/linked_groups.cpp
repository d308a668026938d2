// SPDX-License-Identifier: MIT
#include "zarrlib/store/linked_groups.h"
#include "zarrlib/store/store_folders.h"

namespace zarr {

bool LinkedGroups::IsShown(const Store& store, const std::string& path) {
  auto folder = FindFolder(store, path);
  if (!folder || !folder->is_link || folder->links == 1) return true;
  const std::lock_guard lock(mutex_);
  return paths_.try_emplace(std::move(folder->identity), path).first->second == path;
}

}  // namespace zarr
