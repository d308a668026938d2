// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/tools/zarrkit.h"

namespace gdal_zarr {

/// The command `zarrkit stack`: makes references to datasets of GDAL, and prints warnings to `err`. Returns the exit
/// code. Throws like StackReferences.
int StackFiles(const zarr::tools::StackOptions& options, std::ostream& err, zarr::tools::Progress* progress);

}  // namespace gdal_zarr
