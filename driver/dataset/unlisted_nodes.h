// SPDX-License-Identifier: MIT
#pragma once

#include "driver/dataset/shared_resource.h"

namespace gdal_zarr {

/// Warns, once in the life of the dataset, if its server lists nothing and there are no consolidated metadata: a list
/// of nodes is empty then, whatever there is. To be called after an empty list.
void WarnIfUnlisted(SharedResource& resource);

}  // namespace gdal_zarr
