// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/store/store.h"

/// The one decision of what may be removed, moved, replaced, or copied as a store.
///
/// Reading is generous: a folder without metadata of its own counts as a group if there are nodes below it. Nothing
/// tells whose such a folder is, so that it never goes.
namespace zarr {

/// The node at `path` ("" for the whole store) and the nodes below it with all that they own, if that node has
/// documents of its own and those that make it one can be read. Throws Error otherwise: not_found if there are none
/// ("holds 3 stores: a.zarr, b.zarr, c.zarr" where a folder holds some), the error of the document that cannot be read,
/// and what NodeTree::Read throws. `action` is what is not done then, such as "removed".
NodeTree ReadRemovable(const Store& store, std::string_view path, std::string_view action);

/// Throws the Error(not_found) of ReadRemovable unless the store's root has documents of its own, readable or not: for
/// whoever changes more than one node. Takes a few looks.
void CheckIsStore(const Store& store, std::string_view action);

/// The path of the first entry in the folders of a tree's nodes that the tree does not own; nothing if there is none.
/// Throws Error(io).
std::optional<std::string> FindForeign(const Store& store, const NodeTree& tree, const IsSideFile& is_side_file);

}  // namespace zarr
