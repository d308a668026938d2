// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Reads a selection into the process's chunk cache: at most as much as fits into half of the cache, or into the option
/// CACHE_SIZE (bytes). The option NUM_THREADS takes precedence over the configuration option GDAL_NUM_THREADS. Failures
/// are ignored, because the following read reports them.
void ReadAhead(const zarr::Array& array, const zarr::Selection& selection, CSLConstList options) noexcept;

/// Reads whole arrays into the cache, all at the same time. Skips variable-length arrays. Failures are ignored, because
/// the following read of the array reports them.
void ReadAheadTogether(std::span<const std::shared_ptr<const zarr::Array>> arrays) noexcept;

}  // namespace gdal_zarr
