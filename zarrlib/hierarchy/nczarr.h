// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/hierarchy/node_documents.h"

namespace zarr {

/// NCZarr, the dialect of the netCDF-C library, lists in each group its dimensions with their sizes, its arrays and its
/// groups: in the attribute `_nczarr_group`, or, before netCDF-C 4.9.1, in the member `_NCZARR_GROUP` of `.zgroup`. The
/// library ignores nodes that are not listed, and does not open a store with inconsistent lists.
///
/// Throws Error(unsupported) if the group at `path` has such lists: creating, removing, renaming or resizing nodes in
/// it would make them wrong.
void CheckNoNczarrLists(const NodeDocuments& documents, ZarrFormat format, std::string_view path);

}  // namespace zarr
