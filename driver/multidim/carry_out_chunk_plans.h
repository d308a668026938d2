#pragma once

#include <memory>

namespace gdal_zarr {

class SharedResource;

/// Makes the chunks of the arrays whose plans can be carried out by now. Throws zarr::Error.
void CarryOutChunkPlans(const std::shared_ptr<SharedResource>& resource);

}  // namespace gdal_zarr
