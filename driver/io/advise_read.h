#pragma once

#include "driver/gdal/gdal_compat.h"
#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// Reads a selection into the process's chunk cache, as much of it as fits into half of the cache, or into the option
/// CACHE_SIZE (bytes). The option NUM_THREADS goes before the configuration option GDAL_NUM_THREADS. What fails here is
/// left to the reading itself, which says so.
void ReadAhead(const zarr::Array& array, const zarr::Selection& selection, CSLConstList options) noexcept;

}  // namespace gdal_zarr
