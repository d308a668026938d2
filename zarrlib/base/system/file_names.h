// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "zarrlib/base/system/file.h"

/// Names in folders. A function that fails returns false or nullopt and sets errno. Thread-safe.
namespace zarr {

bool MakeFolder(const std::string& path);
/// Removes a file, or a link itself.
bool RemoveFile(const std::string& path);
/// Removes a folder, which must be empty, and not a link.
bool RemoveFolder(const std::string& path);
/// Moves a file or folder atomically. A file replaces another one, also while other processes read that; a folder
/// replaces only an empty one.
bool Rename(const std::string& from, const std::string& to);
/// Exchanges two folders atomically. ENOTSUP if the system or the file system cannot do that.
bool Exchange(const std::string& first, const std::string& second);
/// Gives a file a second name. EEXIST if that name exists, ENOTSUP if the file system gives a file no further name.
bool AddName(const std::string& path, const std::string& name);
/// Gives its first name to a file of MakeUnnamedFile. EEXIST if that name exists.
bool GiveName(const File& unnamed, const std::string& name);
/// Returns true if the process may create and remove names in a folder.
bool MayChangeNamesIn(const std::string& folder);

/// Returns what the system expects of a name in place of this one, such as "a name without \":\""; "" if a file can
/// have the name.
std::string FindNameFault(const std::string& name);

#ifdef _WIN32
inline constexpr const char* kPathSeparators = "/\\";  ///< What may be between the names of a path.
inline constexpr bool kOpenFilesKeepNames = true;      ///< Whether a removed file may keep its name while it is open.
#else
inline constexpr const char* kPathSeparators = "/";
inline constexpr bool kOpenFilesKeepNames = false;
#endif

#if defined(_WIN32) || defined(__APPLE__)
inline constexpr bool kUsuallyFoldsCase = true;  ///< Whether most file systems take "A" for "a".
inline constexpr bool kRealPathsHaveStoredCase = true;
#else
inline constexpr bool kUsuallyFoldsCase = false;
inline constexpr bool kRealPathsHaveStoredCase = false;
#endif

/// Returns the absolute path with all links resolved, spelled the same for all names of a file or folder; nullopt if
/// there is none.
std::optional<std::string> GetRealPath(const std::string& path);
/// The same for a path that need not exist: resolves what exists of it. Returns it unchanged if there is no current
/// folder.
std::string GetCanonicalPath(const std::string& path);

/// Returns the folders for large temporary files, the preferred one first. They need not exist.
std::vector<std::string> GetTemporaryFolders();

}  // namespace zarr
