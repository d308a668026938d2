// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "zarrlib/store/icechunk/commit/change_set.h"
#include "zarrlib/store/icechunk/commit/manifest_writer.h"
#include "zarrlib/store/icechunk/manifests.h"
#include "zarrlib/store/icechunk/snapshot.h"

namespace zarr {

/// Writes manifests with the changed chunks of an array, and returns all manifests that the array has then. Of the old
/// ones, it replaces only those with changed chunks, those that would overlap, and small ones, of which an array that
/// grows would get many. Adds the new files to `files`, which has the old ones.
std::vector<ManifestRef> WriteManifests(Store* folder, int version, const Manifests& manifests,
                                        const std::vector<ManifestRef>& before, const NodeChange& change,
                                        ManifestFiles* files);

}  // namespace zarr
