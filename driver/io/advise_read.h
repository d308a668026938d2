// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Reads a selection into the process's chunk cache: at most as much as fits into half of the cache, or into the option
/// CACHE_SIZE (bytes). The option NUM_THREADS takes precedence over the configuration option GDAL_NUM_THREADS. Failures
/// are ignored, because the following read reports them.
void ReadAhead(const zarr::Array& array, const zarr::Selection& selection, CSLConstList options) noexcept;

}  // namespace gdal_zarr
