// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "driver/gdal/gdal_compat.h"

/// Virtual datasets (VRT) open what they are made of when it is asked for, if not later still: until then only their
/// description tells which stores they read.
namespace gdal_zarr {

/// Whether a virtual dataset reads what is at a place (GetPlace), in its folder, or around it, maybe through other
/// virtual datasets. False for datasets of other kinds.
bool ReadsFrom(GDALDataset& dataset, const std::string& place);

/// The name of an open virtual dataset of this process that reads from a place; nothing if there is none. One that was
/// made in memory, and has no name, is not found. Thread-safe.
std::optional<std::string> FindOpenVirtualDataset(const std::string& place);

}  // namespace gdal_zarr
