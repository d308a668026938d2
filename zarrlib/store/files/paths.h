// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Paths of files and folders below the root of a store. Thread-safe.
namespace zarr {

/// Throws Error(io) with the message of errno.
[[noreturn]] void ThrowSystemError(std::string_view what);

/// Returns true if `error`, a value of errno, means that the file does not or cannot exist.
bool MeansAbsent(int error);

/// Returns the broken symbolic link that a path which could not be found is at or below; "" if there is none. See
/// CheckNoBrokenLink.
std::string FindBrokenLink(const std::string& root, const std::string& path);
/// Throws Error(io) if `path`, which could not be found, is at or below a broken symbolic link: the target may be on a
/// disk that is not mounted, or in an annex that was not fetched. Checks the folders from `root` down; `root` itself
/// may be anything.
void CheckNoBrokenLink(const std::string& root, const std::string& path);

/// Returns the folder that contains a path.
std::string GetParent(const std::string& path);

/// Returns true if the folder at `root` + `/` + `path` is one of the folders on the way to it, from `root` on, so that
/// a symbolic link forms a cycle. Returns false for an absent path.
bool LeadsBack(const std::string& root, std::string_view path);

/// Creates a folder and its missing parents. Returns the created folders, the highest first. After an error, none of
/// them is left.
std::vector<std::string> MakeFolders(const std::string& folder);

/// Removes folders that are empty, the last one first.
void RemoveEmptyFolders(const std::vector<std::string>& folders);

}  // namespace zarr
