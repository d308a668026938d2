// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

class SharedResource;

/// Makes the chunk grids of arrays again whose plans can be carried out by now. Throws zarr::Error.
void CarryOutChunkPlans(const std::shared_ptr<SharedResource>& resource);

/// Makes the plan of an array that gets the chunks of its source (CHUNK_EDGES=SOURCE) one of edges, or of the source's
/// blocks if its grid is regular, and carries it out. Does nothing for other arrays. Throws zarr::Error.
void CarryOutSourcePlan(const std::shared_ptr<SharedResource>& resource, const std::string& array,
                        const GDALMDArray& source);

}  // namespace gdal_zarr
