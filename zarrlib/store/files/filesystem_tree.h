// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/store/store_folders.h"
#include "zarrlib/store/store_locks.h"
#include "zarrlib/store/temporary_names.h"

/// Folders of a file system as they are: links are not followed, and no entry is hidden. Errors are Error(io)
/// without a location. Thread-safe.
namespace zarr {

/// Lists the entries of a folder. Returns nullopt if there is no such folder. The folder may be reached through links.
std::optional<std::vector<StoreEntry>> ListFolder(const std::string& folder);
/// Lists the names in a folder, including when the path is a link to it. Returns an empty list if there is no such
/// folder, and nullopt if there are more than `most` names or the folder cannot be read.
std::optional<std::vector<std::string>> ListNames(const std::string& folder, std::size_t most);
/// Like ListNames, for a folder of the store at `root` where what has no name must not exist. Also returns nullopt if
/// the path leads through a broken symbolic link, or if the folder has just changed or changes during the call: a list
/// may lack a file that is replaced while it is made.
std::optional<std::vector<std::string>> ListAllNames(const std::string& root, const std::string& folder,
                                                     std::size_t most);

/// Returns the kind of the entry at a path; nullopt if it is absent.
std::optional<EntryKind> LookAt(const std::string& path);

/// Implements zarr::EraseChosen in a folder, whose path in the store is `prefix`. The folder itself stays. A folder
/// that another process replaces by a link during the call is not entered.
Leftovers EraseInFolder(const std::string& folder, const std::string& prefix, const Chooser& choose);

/// Implements StoreLocks::TryHold for the file at a path, with an advisory lock. Also returns null if the file
/// system does not support locks.
std::shared_ptr<void> TryHoldFile(const std::string& path);

/// Implements StoreLocks::LockFolder for the folder at a path, with an advisory lock. Returns null, and the
/// reason in `fault`, if the system cannot lock it.
std::unique_ptr<StoreLock> LockFolder(const std::string& path, std::string* fault);

/// Removes the temporary files in a folder that no process has locked. `is_one` recognises them by their names.
void EraseAbandonedFiles(const std::string& folder, bool (*is_one)(std::string_view name) = IsOwnTemporaryName);

}  // namespace zarr
