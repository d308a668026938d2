// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "zarrlib/store/store.h"

namespace zarr {

/// Returns the keys of the newer metadata in a store that `Migrate` has written beside the old ones: those of v3 beside
/// v2 or v1, else those of v2 beside v1. The root's document is the first. Finds also what an interrupted migration, or
/// an interrupted removal, has left.
///
/// Throws Error: not_found if there are none; invalid_argument if a newer document does not say what the old metadata
/// say, so that something would be lost with it, and for a node that has only newer metadata; unsupported, and the
/// errors of the parsers, if the old metadata are not complete.
std::vector<std::string> FindNewMetadata(const Store& store);

/// Removes these keys and returns them. The root's document is removed first, so that readers use the old metadata from
/// then on. Chunks are not touched.
std::vector<std::string> UndoMigration(Store* store);

}  // namespace zarr
