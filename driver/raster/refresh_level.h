// SPDX-License-Identifier: MIT
#pragma once

#include "driver/gdal/gdal_compat.h"
#include "driver/overviews/plan_refresh.h"
#include "driver/raster/raster_view.h"

namespace gdal_zarr {

/// Computes the parts of a level that the plan names again, window by window, from its source. `view` is that of the
/// level, `base` the raster whose mask says which pixels count, `whole_chunks` that no chunk may be written in part.
/// Failures have been reported to GDAL. Throws zarr::Error.
CPLErr RefreshLevel(GDALDataset& base, GDALDataset& source, GDALDataset& level, const RasterView& view,
                    const LevelRefresh& plan, bool whole_chunks);

}  // namespace gdal_zarr
