// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gdal_zarr {

/// Returns true if the path is known not to exist. Returns false without checking on remote stores.
bool IsMissing(const std::string& path);

/// For a missing path, throws like zarr::CheckNodeInStoreAbove.
void CheckNodeInStoreAbove(const std::string& path);

/// Throws zarr::Error(not_found) if a path is missing. If it is in a store, the error lists similar names.
void CheckExists(const std::string& path);

}  // namespace gdal_zarr
