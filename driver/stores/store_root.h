// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

struct Opening;

/// The location of a node in a larger store.
struct PlaceInStore {
  std::string store;
  std::string node;
  zarr::ZarrFormat node_format = zarr::ZarrFormat::kV3;
};

/// Finds the larger store that contains a node's folder. Its root is the topmost group of an unbroken chain of parent
/// groups in the node's own format. Returns nullopt if no group contains the node. A group called <name>.zarr ends the
/// search. Throws zarr::Error(io) if a folder cannot be checked.
///
/// In remote stores, where each lookup costs a request, the following rules apply as well:
/// - An array called <name>.zarr and a group with consolidated metadata end the search.
/// - The store of a group is searched for only if a folder above the group has such a name.
/// - A folder that the server refuses to read does not count as a group.
///
/// With an `opening`, all folders up to a web folder called <name>.zarr are requested at once, together with the array
/// that will be opened. Stores of that opening then find the documents in the cache.
std::optional<PlaceInStore> FindStoreRoot(const std::string& folder, const zarr::Hierarchy& node,
                                          const Opening* opening = nullptr);

/// Like FindStoreRoot, for a node that is only read. On a local disk, and below a folder called <name>.zarr, the groups
/// may have folders without documents between them. The caller must check that the store contains the node.
std::optional<PlaceInStore> FindStoreRootAcrossGaps(const std::string& folder, const zarr::Hierarchy& node,
                                                    const Opening* opening = nullptr);

/// Like FindStoreRootAcrossGaps, for a node that is changed: on a local disk, a folder called <name>.zarr may also be
/// in a larger store. The caller must check that this store contains the node.
std::optional<PlaceInStore> FindLargerStore(const std::string& folder, const zarr::Hierarchy& node);

/// Lets the consolidated metadata of the larger store that contains a node's folder follow changes of nodes in it.
/// Returns false if there are none. Throws zarr::Error.
bool UpdateConsolidatedAbove(const std::string& folder, const zarr::Hierarchy& node,
                             const std::vector<std::string>& changed);
/// The same for the node's place, also after its removal. `node_kind`: if the store lists another kind of node there,
/// or none, it does not contain the node, and nothing changes; nor if its format is another one.
bool UpdateConsolidated(const PlaceInStore& place, const std::vector<std::string>& changed,
                        std::optional<zarr::NodeKind> node_kind = std::nullopt);

}  // namespace gdal_zarr
