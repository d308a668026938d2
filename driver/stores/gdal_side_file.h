#pragma once

#include <span>
#include <string_view>

#include "zarrlib/store/store.h"

namespace gdal_zarr {

/// How side files with such a name begin, each of the texts; nothing for other names.
std::span<const std::string_view> SideFileStarts(std::string_view name);

/// Whether a value beside the documents of a node is one that GDAL keeps there (statistics, overviews, ...), by its
/// name and its first bytes. Throws Error(io).
bool IsGdalSideFile(const zarr::Store& store, std::string_view key);

}  // namespace gdal_zarr
