// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/store/store.h"

namespace zarr::tools {

/// Checks that the folder of a new store is not inside that of the old one, nor the other way round. Throws
/// Error(invalid_argument).
void CheckApart(const std::string& old_store, const std::string& new_store);

/// Whether a store is an archive that is being made.
bool IsNewArchive(const Store& store);

}  // namespace zarr::tools
