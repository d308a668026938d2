// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Makes a view of a raster in which bands of signed bytes, for which GDAL before 3.7 has no type, are Int16; null if
/// it has none. Such bands say so by the item PIXELTYPE. The source must outlive the view.
std::unique_ptr<GDALDataset> MakeViewOfSignedBytes(GDALDataset& source);

}  // namespace gdal_zarr
