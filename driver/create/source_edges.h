// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "driver/create/band_dimensions.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Replaces CHUNK_EDGES=SOURCE in the options of CreateCopy: by the edges of the source's chunks if it is an array with
/// a rectilinear grid, otherwise by BLOCKSIZE, with the blocks of its first band. `band_dimensions` are those of the
/// copy.
CPLStringList ExpandSourcePlan(CSLConstList options, GDALDataset& source,
                               const std::vector<BandDimension>& band_dimensions);

}  // namespace gdal_zarr
