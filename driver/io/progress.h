// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Wraps GDAL's progress function for zarrlib. The result is empty if there is none.
inline std::function<bool(double)> MakeProgress(const GDALRasterIOExtraArg* extra) {
  if (!extra || !extra->pfnProgress || extra->pfnProgress == GDALDummyProgress) return {};
  return [extra](double share) { return extra->pfnProgress(share, "", extra->pProgressData) != FALSE; };
}

}  // namespace gdal_zarr
