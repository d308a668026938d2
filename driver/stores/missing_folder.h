// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gdal_zarr {

/// Whether there is no file or folder at all. Says no where looking takes a request.
bool IsMissing(const std::string& path);

/// Throws what zarr::CheckNodeInStoreAbove throws, for a path that is missing.
void CheckNodeInStoreAbove(const std::string& path);

/// Throws zarr::Error(not_found) if a path is missing; in a store, it lists what may have been meant.
void CheckExists(const std::string& path);

}  // namespace gdal_zarr
