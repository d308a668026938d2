// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// The texts with which GDAL's side files of such a name can begin; empty for names that GDAL does not use.
std::span<const std::string_view> GetSideFileStarts(std::string_view name);

/// Whether a value is a side file that GDAL put beside a node's documents (statistics, overviews), judged by its name
/// and its first bytes. Throws Error(io).
bool IsGdalSideFile(const zarr::Store& store, std::string_view key);

}  // namespace gdal_zarr
