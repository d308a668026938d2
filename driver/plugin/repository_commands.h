// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"

#ifdef ZARR_HAS_DRIVER_COMMANDS

#include <gdalalgorithm.h>

#include <string>

namespace gdal_zarr {

/// The commands that list what an Icechunk repository has. `list-branches` and `list-tags` have the names, arguments
/// and results of `gdal driver icechunk` of GDAL 3.14, which has no equal of `list-snapshots`.
inline constexpr const char* kRepositoryCommands[] = {"list-branches", "list-tags", "list-snapshots"};

/// Makes one of these commands; returns null for another name.
GDALAlgorithm* MakeRepositoryCommand(const std::string& name);

}  // namespace gdal_zarr

#endif
