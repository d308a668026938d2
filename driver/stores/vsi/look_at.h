// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/stores/vsi/vsi_absence.h"

namespace gdal_zarr {

/// Determines what exists at a path where something will be removed or replaced. If GDAL does not find anything, checks
/// again. Throws zarr::Error(io) if the result is unknown.
Presence LookAt(const std::string& path);

}  // namespace gdal_zarr
