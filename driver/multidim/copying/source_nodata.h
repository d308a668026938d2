// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "driver/gdal/gdal_compat.h"
#include "driver/types/type_map.h"

namespace gdal_zarr {

/// Returns the nodata value that the attributes of a copy's source give, in the type of the source; null if they do not
/// give one. GDAL's netCDF driver takes the first bytes of an attribute of another type, and does not read those of
/// text. Warns of a `_FillValue` that no element can have. Returns nullopt if what GDAL says is right. `dataset` may be
/// null.
std::optional<std::unique_ptr<GdalElement>> FindStatedNodata(GDALDataset* dataset, const GDALMDArray& source);

}  // namespace gdal_zarr
