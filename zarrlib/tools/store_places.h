// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace zarr::tools {

/// Checks that the folder of a new store is not inside that of the old one, nor the other way round. Throws
/// Error(invalid_argument).
void CheckApart(const std::string& old_store, const std::string& new_store);

}  // namespace zarr::tools
