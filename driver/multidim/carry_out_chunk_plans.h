// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

class SharedResource;

/// Recomputes the chunk grids of arrays whose plans can be carried out now. Throws zarr::Error.
void CarryOutChunkPlans(const std::shared_ptr<SharedResource>& resource);

/// Carries out the plan of an array that gets the chunks of its source (CHUNK_EDGES=SOURCE), with the source's chunk
/// edges, or with its block size if its grid is regular. Does nothing for other arrays. Throws zarr::Error.
void CarryOutSourcePlan(const std::shared_ptr<SharedResource>& resource, const std::string& array,
                        const GDALMDArray& source);

}  // namespace gdal_zarr
