// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

/// Opens the store in a folder. May throw Error.
using FolderOpener = std::function<std::shared_ptr<Store>(const std::string& folder)>;

/// Throws Error(not_found) that lists nodes which may have been meant, if the nearest folder with metadata above a path
/// is a group that lacks it. Does nothing if one of the folders, or the path, cannot be looked at. To be called where
/// looking into folders takes no requests.
void CheckNodeInStoreAbove(const std::string& path, const FolderOpener& open);

}  // namespace zarr
