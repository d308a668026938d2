#pragma once

#include <string_view>

#include "zarrlib/hierarchy/node_tree.h"
#include "zarrlib/store/store.h"

/// Nodes are removed as their metadata name them, and so that a process that is stopped meanwhile leaves nothing that
/// is taken for data: first a value in the store's root tells which documents go, then these go, then the chunks. What
/// such a value tells is completed by the next change of the store (FinishRemovals).
namespace zarr {

/// Removes the node at `path` ("" for all that a store holds) with all nodes below it, and tells what else stands
/// there and has been left. If `path` is a link, it is removed alone. Throws Error(unsupported) where a link leads to
/// the path, or the store cannot list; Error(io).
Store::Leftovers RemoveNode(Store& store, std::string_view path, const IsSideFile& is_side_file = {});

/// Completes the removals that processes have left that were stopped, and removes their temporary files. Throws
/// Error(io).
void FinishRemovals(Store& store);

/// Throws Error(invalid_argument) that names what stands at `path`, or in the folder of that name, if anything does but
/// temporary files. The root is to be an empty folder or absent. Of a store that cannot list nothing is known.
void CheckNothingAt(const Store& store, std::string_view path);

}  // namespace zarr
