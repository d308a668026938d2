// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/store_folders.h"

/// Removes nodes with the keys that their metadata name, so that a process that is stopped meanwhile leaves nothing
/// that looks like data: first a record in the store's root lists the documents that go, then these are removed, and
/// then the chunks. The next change of the store completes the removals of the records that it finds (FinishRemovals).
namespace zarr {

/// Removes the node at `path` ("" for the whole store) and all nodes below it. Returns the other entries of its folder,
/// which stay. If `path` is a link, only the link is removed. Throws what ReadRemovable throws, and Error: unsupported
/// if a link leads to the path, or if the store cannot list; io.
Leftovers RemoveNode(Store& store, std::string_view path, const IsSideFile& is_side_file = {});

/// As RemoveNode, of the nodes that a tree has, which was read at `path`; nodes that have been made since then stay.
Leftovers RemoveTree(Store& store, std::string_view path, const NodeTree& tree, const IsSideFile& is_side_file = {});

/// Completes the removals of processes that were stopped, and removes their temporary files. Throws Error(io).
void FinishRemovals(Store& store);

/// Whether a folder of the store has no entries but temporary files, or is absent. False for a store that cannot list.
bool HoldsOnlyTemporaries(const Store& store, std::string_view path);

/// Throws Error(invalid_argument), with the name of the entry, if there is anything at `path`, or in the folder of that
/// name, but temporary files and folders that hold nothing else. The root must be an empty folder, or absent. Does not
/// find anything in a store that cannot list.
void CheckNothingAt(const Store& store, std::string_view path);

}  // namespace zarr
