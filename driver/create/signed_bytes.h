// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns a view of a raster in which bands of signed bytes, for which GDAL before 3.7 does not have a type, are
/// Int16. Returns null if there are none. Such bands are marked by the item PIXELTYPE. The source must outlive the
/// view.
std::unique_ptr<GDALDataset> MakeViewOfSignedBytes(GDALDataset& source);

}  // namespace gdal_zarr
