// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "driver/dataset/shared_resource.h"

namespace gdal_zarr {

/// Visits the paths that a name in a group may refer to: in the group itself, then in its ancestors up to the store's
/// root. Stops if `visit` returns true.
template <typename Visit>
void VisitUpwards(std::string group, const std::string& name, const Visit& visit) {
  for (;; group = GetParentPath(group)) {
    if (visit(zarr::JoinKey(group, name)) || group.empty()) return;
  }
}

}  // namespace gdal_zarr
