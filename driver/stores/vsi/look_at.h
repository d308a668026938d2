// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/stores/vsi/vsi_absence.h"

namespace gdal_zarr {

/// Finds out what is at a path where something is to be removed or replaced: what GDAL cannot find is looked for again.
/// Throws zarr::Error(io) if nothing can be told.
Presence LookAt(const std::string& path);

}  // namespace gdal_zarr
