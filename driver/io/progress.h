#pragma once

#include <functional>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// GDAL's progress function as zarrlib's; empty where there is none.
inline std::function<bool(double)> ProgressOf(const GDALRasterIOExtraArg* extra) {
  if (!extra || !extra->pfnProgress || extra->pfnProgress == GDALDummyProgress) return {};
  return [extra](double share) { return extra->pfnProgress(share, "", extra->pProgressData) != FALSE; };
}

}  // namespace gdal_zarr
