// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// Opens the hierarchy of the documents themselves; nothing if only consolidated metadata describe the nodes.
std::shared_ptr<EditableHierarchy> OpenDocuments(const std::shared_ptr<Store>& store);
/// As OpenDocuments, but where only consolidated metadata describe the nodes, opens the hierarchy of these.
std::shared_ptr<Hierarchy> OpenDocumentsFirst(const std::shared_ptr<Store>& store);

/// Opens the array that a user names. Throws Error(not_found), which names arrays that may have been meant: those in a
/// group, or those of the same name elsewhere.
std::shared_ptr<const Array> OpenNamedArray(const Hierarchy& hierarchy, const std::string& path);

/// Throws Error(unsupported) if nothing tells which nodes there are: the store cannot be listed, and has no
/// consolidated metadata.
void CheckNodesAreKnown(const Store& store, const Hierarchy& hierarchy);

/// To be called before the consolidated metadata of the root are made anew from the documents: throws
/// Error(unsupported) if those of v3 or v2 name a node whose own document is absent or damaged: it would get lost.
void CheckConsolidatedHaveDocuments(const Store& store, bool v3);

}  // namespace zarr::tools
