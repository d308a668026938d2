// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

/// What a file system makes of names. Keys that differ are different values, but some file systems take "A" for "a",
/// and Windows forbids names. Thread-safe.
namespace zarr {

/// Returns true if the file system of a folder takes upper and lower case for the same. Tries that with the name of the
/// folder itself, so it answers for the folder above it.
bool FoldsCase(const std::string& folder);

/// Returns true unless the file at `root` + `/` + `key` has another name, in upper or lower case, than the key has.
/// Only for file systems that fold case.
bool IsSpelledSo(const std::string& root, std::string_view key);

/// Throws Error(invalid_argument) if the system forbids a name of the key, or if a file or folder has the name of the
/// key in another case, so that the two would be one.
void CheckCanBeNamed(const std::string& root, std::string_view key, bool folds_case);

}  // namespace zarr
