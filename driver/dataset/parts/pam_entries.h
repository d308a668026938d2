// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// Returns the paths of the arrays at and below a node; of those that can be found if there are unreadable documents.
std::vector<std::string> ListArrays(const zarr::Hierarchy& hierarchy, const std::string& path);

/// Removes what GDAL has saved about arrays, which are given by their paths: statistics and the CRS.
void RemovePamEntries(GDALPamMultiDim& pam, const std::vector<std::string>& arrays);
/// Moves what GDAL has saved about arrays when a node at or above them is moved.
void MovePamEntries(GDALPamMultiDim& pam, const std::vector<std::string>& arrays, std::string_view from,
                    std::string_view to);

}  // namespace gdal_zarr
