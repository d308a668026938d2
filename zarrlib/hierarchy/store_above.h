// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "zarrlib/store/store.h"

namespace zarr {

/// Opens the store in a folder. May throw Error.
using FolderOpener = std::function<std::shared_ptr<Store>(const std::string& folder)>;

/// Throws Error(not_found), which suggests nodes, if the nearest folder with metadata above a path is a group that does
/// not have the node. Does nothing if one of the folders, or the path, cannot be checked. Call this only if checking
/// folders does not need requests.
void CheckNodeInStoreAbove(const std::string& path, const FolderOpener& open);

/// A folder in a larger store.
struct StoreAbove {
  std::string folder;  ///< That of the larger store.
  std::string node;    ///< The path of the folder in it.
};

/// Finds the largest store that has the node in a folder, whose path is absolute. Returns nullopt if the folder is not
/// a node of another store. A folder called <name>.zarr is one only if the consolidated metadata of that store list it.
/// Stores whose metadata are damaged are passed over. Throws Error(io) if a folder cannot be read. Call this only if
/// checking folders does not need requests.
std::optional<StoreAbove> FindStoreAbove(const std::string& path, const FolderOpener& open);

}  // namespace zarr
