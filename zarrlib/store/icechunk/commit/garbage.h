// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "zarrlib/store/icechunk/object_id.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Objects of a repository that nothing refers to.
struct Garbage {
  std::vector<std::string> keys;
  std::uint64_t bytes = 0;  ///< Of all of them.
};

/// Finds the snapshots that no branch and no tag leads to, and objects that no other snapshot refers to. Objects that
/// were written since `time` (in microseconds since 1970) are not garbage: a session may be about to commit them.
/// Copies of the repo info file are kept. With `removes`, removes the snapshots from the repo info file, and then the
/// objects.
///
/// Reads all snapshots and manifests. Throws their errors, Error(unsupported) for a store that cannot be listed, and,
/// with `removes`, the errors of ChangeRepo.
Garbage CollectGarbage(const std::shared_ptr<Store>& folder, std::uint64_t time, bool removes);

}  // namespace zarr
