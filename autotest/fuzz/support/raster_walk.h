// SPDX-License-Identifier: MIT
#pragma once

#include <gdal_priv.h>

namespace zarr::fuzz {

/// Asks a dataset and its first bands for all that they tell, and reads a small window.
void WalkRaster(GDALDataset& dataset);

}  // namespace zarr::fuzz
