#pragma once

#include <optional>
#include <string>

#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// A node as part of the store that it belongs to.
struct PlaceInStore {
  std::string store;  ///< The store's path.
  std::string node;   ///< The node's path in the store.
};

/// Where the folder of a node lies in a larger store: below the highest of the groups that directly hold each other,
/// of the node's own format. Nothing if its folder is not in that of a group.
///
/// A group called <name>.zarr is a store, whatever is above it. On a network, where each look is a request, so is an
/// array of such a name, and a group that has consolidated metadata; what a server forbids to look at is no group
/// there. Throws zarr::Error(io) where it cannot be found out.
std::optional<PlaceInStore> FindStoreRoot(const std::string& folder, const zarr::Hierarchy& node);

}  // namespace gdal_zarr
