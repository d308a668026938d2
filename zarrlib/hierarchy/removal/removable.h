// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/store/store.h"

/// Decides what may be removed, moved, replaced, or copied as a store.
///
/// Reading is tolerant: a folder without metadata counts as a group if there are nodes below it. The owner of such a
/// folder is unknown, so it is never removed.
namespace zarr {

/// Returns the node at `path` ("" for the whole store) and its descendants with everything that they own, if that node
/// has documents of its own and the main ones are readable. Otherwise throws Error: not_found if there are none ("holds
/// 3 stores: a.zarr, b.zarr, c.zarr" if a folder contains some), the error of the unreadable document, and the errors
/// of NodeTree::Read. `action` is the rejected action, such as "removed".
NodeTree ReadRemovable(const Store& store, std::string_view path, std::string_view action);

/// Throws the Error(not_found) of ReadRemovable unless the store's root has documents of its own, readable or not. For
/// callers that change more than one node. Costs a few lookups.
void CheckIsStore(const Store& store, std::string_view action);

/// Returns the path of the first entry in the folders of a tree's nodes that the tree does not own; nullopt if there is
/// none. Throws Error(io).
std::optional<std::string> FindForeign(const Store& store, const NodeTree& tree, const IsSideFile& is_side_file);

}  // namespace zarr
