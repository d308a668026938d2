// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

namespace gdal_zarr {

class SharedResource;

/// Makes the chunk grids of arrays again whose plans can be carried out by now. Throws zarr::Error.
void CarryOutChunkPlans(const std::shared_ptr<SharedResource>& resource);

}  // namespace gdal_zarr
