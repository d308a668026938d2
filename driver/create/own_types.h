// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

class SharedResource;

/// Gives attributes of a raster's copy, which GDAL copies as text, the types that they have in a source of this driver.
/// Does nothing for other sources, and to attributes whose text is another. `path` is that of the copied array. Throws
/// zarr::Error.
void TypeAsInSource(const GDALDataset& source, SharedResource& resource, const std::string& path);

}  // namespace gdal_zarr
