// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "driver/create/references/source_blocks.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns true for an array of at most 64 KiB, whose values may become parts of references.
bool IsSmallArray(const GDALMDArray& array);

/// Finds the stored blocks of an array of numbers: of this driver's arrays, of variables in
/// netCDF's classic formats, and since GDAL 3.12 of all arrays that have GDALMDArray::GetRawBlockInfo. Returns null if
/// it does not have any that are known. Throws zarr::Error(unsupported), with the reason, if they cannot be described
/// as chunks.
std::shared_ptr<const SourceBlocks> FindRawBlocks(const std::shared_ptr<GDALMDArray>& array);

}  // namespace gdal_zarr
