// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "zarrlib/hierarchy/node_documents.h"

namespace zarr {

/// NCZarr, the dialect of the netCDF-C library, lists in each group its dimensions with their sizes, its arrays and its
/// groups: in the attribute `_nczarr_group`, or, before netCDF-C 4.9.1, in the member `_NCZARR_GROUP` of `.zgroup`.
/// That library reads nothing that is not listed, and does not open a store whose lists do not fit.
///
/// Throws Error(unsupported) if the group at `path` has such lists: nodes that are made, removed, renamed or resized in
/// it would make them wrong.
void CheckNoNczarrLists(const NodeDocuments& documents, ZarrFormat format, std::string_view path);

}  // namespace zarr
