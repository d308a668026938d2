// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// Returns the possible first bytes of GDAL's PAM, overview and cache files of that name; empty for names that GDAL
/// does not use.
std::span<const std::string_view> GetSideFileStarts(std::string_view name);

/// Returns true if a value is a file that GDAL wrote next to a node's documents (statistics, overviews, cached values),
/// judged by its name and its first bytes. Throws Error(io).
bool IsGdalSideFile(const zarr::Store& store, std::string_view key);

}  // namespace gdal_zarr
