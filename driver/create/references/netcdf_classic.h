// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>

#include "driver/create/references/contiguous_blocks.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Finds the elements of a variable in a file of netCDF's classic formats (CDF-1, CDF-2 and CDF-5), from its header.
/// Returns nullopt for files of other formats, and if there is no such variable. Throws zarr::Error: corrupt for a
/// damaged header, unsupported if the number of records is not known.
std::optional<ContiguousPlace> FindClassicVariable(const GDALMDArray& array);

}  // namespace gdal_zarr
