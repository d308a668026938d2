// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gdal_zarr {

/// Returns true if the path is known not to exist. Returns false without checking on remote stores.
bool IsMissing(const std::string& path);

/// For a missing path, throws like zarr::CheckNodeInStoreAbove.
void CheckNodeInStoreAbove(const std::string& path);

/// Tells why no store is found at a path: throws zarr::Error(not_found) if the path is missing, with similar names if
/// it is in a store, or if it names a repository, which then is empty. Returns if it is anything else.
void CheckExists(const std::string& path);

}  // namespace gdal_zarr
