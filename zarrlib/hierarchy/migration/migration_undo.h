// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "zarrlib/store/store.h"

namespace zarr {

/// Returns the keys of the newer metadata that `Migrate` has written next to the old ones: v3 next to v2 or v1,
/// otherwise v2 next to v1, and of GDAL's files that it has copied. The root's document is the first. Also finds
/// documents from an interrupted migration or removal.
///
/// Throws Error: not_found if there are none; invalid_argument if a newer document differs from the old metadata, so
/// that removing it would lose information, and for a node that has only newer metadata; unsupported, and the errors of
/// the parsers, if the old metadata are incomplete.
std::vector<std::string> FindNewMetadata(const Store& store);

/// Removes these keys and returns them. The root's document is removed first, so that readers use the old metadata from
/// then on. Chunks are not touched.
std::vector<std::string> UndoMigration(Store* store);

}  // namespace zarr
