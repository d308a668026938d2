// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "driver/create/references/source_blocks.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Returns true for an array of at most 64 KiB, whose values may become parts of references.
bool IsSmallArray(const GDALMDArray& array);

/// Blocks of fewer bytes are better parts of the references themselves.
inline constexpr std::uint64_t kTinyBlock = 1 << 10;

/// What becomes of small arrays in netCDF's classic formats whose records are tiny blocks.
enum class TinyRecords : std::uint8_t { kPassOver, kFind };

/// Finds the stored blocks of an array of numbers: of this driver's arrays, of variables in
/// netCDF's classic formats, and since GDAL 3.12 of all arrays that have GDALMDArray::GetRawBlockInfo. Returns null if
/// it does not have any that are known. Throws zarr::Error(unsupported), with the reason, if they cannot be described
/// as chunks.
std::shared_ptr<const SourceBlocks> FindRawBlocks(const std::shared_ptr<GDALMDArray>& array, TinyRecords records);

}  // namespace gdal_zarr
