// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

struct Opening;

/// Whether a server denies access to a file. Many servers do so above the stores that they offer.
bool IsForbidden(const zarr::Error& error);

/// The place of a node in a larger store.
struct PlaceInStore {
  std::string store;
  std::string node;
};

/// Finds the larger store that a node's folder belongs to: it begins at the highest of the groups, of the node's own
/// format, that contain each other without a gap. Returns nothing if no group contains the node. A group called
/// <name>.zarr ends the search. On a network, where each look takes a request, an array of such a name and a group with
/// consolidated metadata end it too, a group does without a search if no folder above has such a name, and a folder
/// that the server forbids to read counts as no group. Throws zarr::Error(io) if a folder cannot be looked at.
///
/// With an `opening`, the folders up to one on the web that is called <name>.zarr are asked at once, and the array that
/// will be opened with the first of them. The documents are then at hand for stores of that opening.
std::optional<PlaceInStore> FindStoreRoot(const std::string& folder, const zarr::Hierarchy& node,
                                          const Opening* opening = nullptr);

/// As FindStoreRoot, for a node that is only to be read: on a local disk, and below a folder that is called
/// <name>.zarr, the groups may have folders without documents between them. The caller has to see whether the store has
/// the node.
std::optional<PlaceInStore> FindStoreRootAcrossGaps(const std::string& folder, const zarr::Hierarchy& node,
                                                    const Opening* opening = nullptr);

}  // namespace gdal_zarr
