// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/hierarchy/removal/node_tree.h"
#include "zarrlib/store/store.h"
#include "zarrlib/store/store_folders.h"

/// Removes nodes with the keys that belong to their metadata, so that a stopped process does not leave anything that
/// looks like data. First a record in the store's root lists the documents to remove; then these are removed, and then
/// the chunks. The next change of the store completes the removals of the records that it finds (FinishRemovals); in a
/// remote store, the next removal of the same node does (FinishRemovalOf).
namespace zarr {

/// Throws Error(unsupported) if a path is reached through a link: what is there may be part of another store.
void CheckNotBehindLink(const Store& store, std::string_view path);

/// Returns true if there is a symbolic link at a path.
bool IsLink(const Store& store, std::string_view path);

/// Removes the node at `path` ("" for the whole store) and its descendants. Returns the other entries of its folder,
/// which stay. If `path` is a link, only the link is removed. Throws the errors of ReadRemovable, and Error:
/// unsupported if the path is reached through a link, or if the store cannot list; io.
Leftovers RemoveNode(Store& store, std::string_view path, const IsSideFile& is_side_file = {});

/// Like RemoveNode, for the nodes of a tree that was read at `path`; nodes that have been created since then stay.
Leftovers RemoveTree(Store& store, std::string_view path, const NodeTree& tree, const IsSideFile& is_side_file = {});

/// Completes the removals of stopped processes, and removes their temporary files. Throws Error(io). Does nothing in a
/// remote store, where looking for them would cost each change a request, and where nothing tells that their processes
/// have stopped.
void FinishRemovals(Store& store);

/// Completes removals in a remote store that include the node at `path`. Call this when that node, which does not exist
/// any more, is to be removed. Returns false if there is none. Throws Error(io).
bool FinishRemovalOf(Store& store, std::string_view path, const IsSideFile& is_side_file = {});

/// Returns true if a folder of the store is absent or contains only temporary files. Returns false for a store that
/// cannot list.
bool HoldsOnlyTemporaries(const Store& store, std::string_view path);

/// Throws Error(invalid_argument), with the name of the entry, if there is anything at `path`, or in the folder of that
/// name, except temporary files and folders that contain only such files. The root must be an empty folder, or absent.
/// Does not find anything in a store that cannot list.
void CheckNothingAt(const Store& store, std::string_view path);

}  // namespace zarr
