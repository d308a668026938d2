// SPDX-License-Identifier: MIT
#pragma once

#include "driver/dataset/shared_resource.h"

namespace gdal_zarr {

/// Warns, once per dataset, if its server does not list nodes and there is no consolidated metadata: a list of nodes is
/// then empty, whatever the store contains. Call this after getting an empty list.
void WarnIfUnlisted(SharedResource& resource);

}  // namespace gdal_zarr
