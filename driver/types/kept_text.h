// SPDX-License-Identifier: MIT
#pragma once

namespace gdal_zarr {

/// Nodata values of string arrays. GDAL passes them as pointers: a virtual dataset copies only the pointer, and may use
/// it after the array has been closed. Some of GDAL's drivers pass other bytes than a pointer. So the strings of this
/// driver are kept until the process ends, and are recognised by their addresses. Thread-safe.

/// Returns the address of a pointer to the kept copy of a string; null if it is too long, or too many are kept.
const char* const* KeepText(const char* text);

/// Returns true if a pointer, which may lead anywhere, is that of a kept string.
bool IsKeptText(const char* pointer);

}  // namespace gdal_zarr
