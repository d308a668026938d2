#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/store/store.h"

/// Folders of a POSIX file system as they are: links are not followed, and nothing is hidden. Errors are Error(io),
/// without a place. Thread-safe.
namespace zarr {

/// What stands directly in a folder; nothing if there is none. The folder may be reached through links.
std::optional<std::vector<Store::Entry>> ListFolder(const std::string& folder);

/// What stands at a path; nothing if it is absent.
std::optional<EntryKind> LookAt(const std::string& path);

/// As Store::EraseChosen, of what is in a folder, whose path in the store is `prefix`; the folder itself stays. A
/// folder that is replaced by a link meanwhile is not entered.
Store::Leftovers EraseInFolder(const std::string& folder, const std::string& prefix, const Chooser& choose);

/// As Store::TryHold, of the file at a path: by an advisory lock (flock). Null too where the file system has no locks.
std::shared_ptr<void> TryHoldFile(const std::string& path);

/// Removes the temporary files in a folder that no process holds.
void EraseAbandonedFiles(const std::string& folder);

}  // namespace zarr
