// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "zarrlib/store/store_folders.h"

namespace gdal_zarr {

/// Reports, as one warning, the files that a removal did not delete because no metadata names them.
void WarnOfLeftovers(const std::string& store, const zarr::Leftovers& leftovers);

}  // namespace gdal_zarr
