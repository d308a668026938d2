// SPDX-License-Identifier: MIT
#pragma once

#include <gdal_priv.h>

#include <memory>

namespace zarr::fuzz {

/// Asks a group, and at most some dozen groups and arrays below it, for all that they tell, and reads a few elements of
/// each array.
void WalkGroups(const std::shared_ptr<GDALGroup>& root);

}  // namespace zarr::fuzz
