// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// A part of a level: columns and rows.
struct LevelWindow {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// Returns true if ComputeWindow can compute a level of a band by a method; only GDAL itself can compute levels of
/// complex numbers, and by methods that combine bits or phases.
bool CanComputeWindows(GDALRasterBand& source, const std::string& method);

/// Returns how far, in pixels of the level, a method looks beyond the cell of a pixel.
std::uint64_t GetKernelMargin(const std::string& method);

/// Of as many adjacent pixels, GDAL may compute all at once. Those that are left at the end of a line it computes one
/// by one, and may round them in another way.
inline constexpr int kPixelsAtOnce = 32;

/// Computes a window of a level again, with the same result as if GDAL computed the whole level. Failures have been
/// reported to GDAL. Throws zarr::Error.
CPLErr ComputeWindow(GDALRasterBand& source, GDALRasterBand& level, const std::string& method,
                     const LevelWindow& window);

}  // namespace gdal_zarr
