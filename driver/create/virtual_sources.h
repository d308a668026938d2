// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "driver/gdal/gdal_compat.h"

/// Virtual datasets (VRT) open their sources on demand or later. Until then, only their description shows which stores
/// they read.
namespace gdal_zarr {

/// Returns true if a virtual dataset reads from a location (GetPlace), from its folder, or from a store around it,
/// possibly through other virtual datasets. Returns false for datasets of other kinds.
bool ReadsFrom(GDALDataset& dataset, const std::string& place);

/// Returns the name of the dataset that all sources of a virtual dataset read, possibly through others; nullopt if
/// there are several, and for datasets of other kinds.
std::optional<std::string> FindOnlySource(GDALDataset& dataset);

/// Returns the name of an open virtual dataset of this process that reads from a location, or nullopt if there is none.
/// Does not find one that was created in memory without a name. Thread-safe.
std::optional<std::string> FindOpenVirtualDataset(const std::string& place);

}  // namespace gdal_zarr
