// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "zarrlib/hierarchy/store_above.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// Checks that neither of the folders of the new and the old store is inside the other. Throws Error(invalid_argument).
void CheckApart(const std::string& old_store, const std::string& new_store);

/// Like zarr::FindStoreAbove, for the name of a store. Returns nullopt for stores that are not local folders.
std::optional<StoreAbove> FindLocalStoreAbove(const std::string& store);

/// Returns true if a store is an unfinished new archive.
bool IsNewArchive(const Store& store);

}  // namespace zarr::tools
