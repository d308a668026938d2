// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "driver/create/band_dimensions.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Replaces CHUNK_EDGES=SOURCE in the options of CreateCopy: by the edges of the source's chunks if it is an array with
/// a rectilinear grid, otherwise by BLOCKSIZE, with its chunks (of a shard: the inner ones), or the blocks of the first
/// band of another format. `band_dimensions` are those of the copy. Throws zarr::Error if there is a BLOCKSIZE.
CPLStringList ExpandSourcePlan(CSLConstList options, GDALDataset& source,
                               const std::vector<BandDimension>& band_dimensions);

}  // namespace gdal_zarr
