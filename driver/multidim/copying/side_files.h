// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Warns of what the PAM files of a copy's source hold and only the API for rasters shows, such as ground control
/// points: the multidimensional API does not copy it. Statistics are not mentioned, as they can be computed again. The
/// source may be a virtual dataset of arrays of other datasets. Call this after the copy, because it opens all arrays
/// and drops errors.
void WarnOfSideFiles(GDALDataset& source);

}  // namespace gdal_zarr
