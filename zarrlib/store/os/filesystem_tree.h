// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_locks.h"
#include "zarrlib/store/temporary_names.h"

/// Folders of a POSIX file system as they are: links are not followed, and nothing is hidden. Errors are Error(io)
/// without a place. Thread-safe.
namespace zarr {

/// Lists the entries of a folder; nothing if there is no such folder. The folder may be reached through links.
std::optional<std::vector<StoreEntry>> ListFolder(const std::string& folder);
/// Lists the names in a folder, also if the path is a link to it. None if there is no such folder; nothing if there are
/// more than `most` or the folder cannot be read.
std::optional<std::vector<std::string>> ListNames(const std::string& folder, std::size_t most);

/// The kind of the entry at a path; nothing if it is absent.
std::optional<EntryKind> LookAt(const std::string& path);

/// Whether the process may make and remove entries of a folder.
bool MayChangeNamesIn(const std::string& folder);

/// Does the work of zarr::EraseChosen in a folder, whose path in the store is `prefix`. The folder itself stays. A
/// folder that another process replaces by a link meanwhile is not entered.
Leftovers EraseInFolder(const std::string& folder, const std::string& prefix, const Chooser& choose);

/// Does the work of StoreLocks::TryHold for the file at a path, with an advisory lock (flock). Also returns null if the
/// file system has no locks.
std::shared_ptr<void> TryHoldFile(const std::string& path);

/// Does the work of StoreLocks::LockFolder for the folder at a path, with an advisory lock (flock). Returns null, and
/// the reason in `fault`, if the system cannot lock it.
std::unique_ptr<StoreLock> LockFolder(const std::string& path, std::string* fault);

/// Removes the temporary files in a folder on which no process holds a lock. `is_one` tells them by their names.
void EraseAbandonedFiles(const std::string& folder, bool (*is_one)(std::string_view name) = IsOwnTemporaryName);

}  // namespace zarr
