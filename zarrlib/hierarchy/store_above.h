// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

/// Opens the store in a folder. May throw Error.
using FolderOpener = std::function<std::shared_ptr<Store>(const std::string& folder)>;

/// Throws Error(not_found), which suggests nodes, if the nearest folder with metadata above a path is a group that does
/// not have the node. Does nothing if one of the folders, or the path, cannot be checked. Call this only if checking
/// folders does not need requests.
void CheckNodeInStoreAbove(const std::string& path, const FolderOpener& open);

}  // namespace zarr
