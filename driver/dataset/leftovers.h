// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/store/store_folders.h"

namespace gdal_zarr {

/// Reports, as one warning, the files that a removal has left because no metadata name them.
void WarnOfLeftovers(const std::string& store, const zarr::Leftovers& leftovers);

}  // namespace gdal_zarr
