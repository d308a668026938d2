// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/dataset/shared_resource.h"

namespace gdal_zarr {

/// Calls SharedResource::RenameNode, with a path in the same group. Attributes of CF that name the node, or a node
/// below it by a path, get the new name, or, if something fails, nothing is changed. The names are searched in the
/// group of the node and in the groups below it; in the whole store only if that takes no requests. Warns of names that
/// cannot follow.
void RenameWithReferences(SharedResource& resource, const std::string& from, const std::string& to);

}  // namespace gdal_zarr
