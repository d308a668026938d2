// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gdal_zarr {

/// Returns the folder for files that are complete before they go to another file system: GDAL's option CPL_TMPDIR, or
/// the system's. Throws zarr::Error(io) if there is none.
std::string GetFolderForTemporaryFiles();

}  // namespace gdal_zarr
