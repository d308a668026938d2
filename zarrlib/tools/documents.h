// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "zarrlib/hierarchy/editable_hierarchy.h"
#include "zarrlib/store/store.h"

namespace zarr::tools {

/// Opens the hierarchy of the documents themselves; returns null if only consolidated metadata describe the nodes.
std::shared_ptr<EditableHierarchy> OpenDocuments(const std::shared_ptr<Store>& store);
/// Like OpenDocuments, but falls back to the consolidated metadata if only they describe the nodes.
std::shared_ptr<Hierarchy> OpenDocumentsFirst(const std::shared_ptr<Store>& store);

/// Opens the array that a user specifies. Throws Error(not_found), which suggests arrays: those in a group, or those of
/// the same name elsewhere.
std::shared_ptr<const Array> OpenNamedArray(const Hierarchy& hierarchy, const std::string& path);

/// Throws Error(unsupported) if the nodes are unknown: the store cannot list, and does not have consolidated metadata.
void CheckNodesAreKnown(const Store& store, const Hierarchy& hierarchy);

/// Call this before the consolidated metadata of the root are written again from the documents. Throws
/// Error(unsupported) if the v3 or v2 consolidated metadata list a node whose own document is absent or damaged: it
/// would get lost.
void CheckConsolidatedHaveDocuments(const Store& store, bool v3);

}  // namespace zarr::tools
