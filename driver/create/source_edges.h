// SPDX-License-Identifier: MIT
#pragma once

#include "driver/create/creation_request.h"
#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Replaces CHUNK_EDGES=SOURCE in the options of CreateCopy: by the edges of the source's chunks if it is an array with
/// a rectilinear grid, otherwise by BLOCKSIZE, with its chunks (of a shard: the inner ones), or the blocks of the first
/// band of another format. `request` is that of the copy. Throws zarr::Error if there is a BLOCKSIZE.
CPLStringList ExpandSourcePlan(CSLConstList options, GDALDataset& source, const CreationRequest& request);

}  // namespace gdal_zarr
