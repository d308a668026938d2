// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "zarrlib/store/icechunk/commit/change_set.h"
#include "zarrlib/store/icechunk/flat/flat_object.h"
#include "zarrlib/store/icechunk/object_id.h"
#include "zarrlib/store/icechunk/snapshot.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Returns the key of the transaction log of a snapshot.
std::string MakeLogKey(const ObjectId& snapshot);

/// Makes the transaction log of a session's changes.
FlatObject MakeLog(const ObjectId& snapshot, const ChangeSet& changes);

/// Returns what others did, according to the log of their commit, that contradicts the changes of a session: they
/// touched the same chunks, or the metadata of what it touched. Returns nullopt if both can be done one after the
/// other. Whether paths are free is not in the log.
std::optional<std::string> FindConflict(const FlatObject& log, const ChangeSet& changes);

/// Returns true if a log tells all that differs between the nodes of two snapshots, so that none between them was
/// removed from the history without a trace.
bool TellsAll(const FlatObject& log, const Snapshot& before, const Snapshot& after);

}  // namespace zarr
