// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "zarrlib/base/error.h"

namespace zarr {

/// The folder of a FilesystemStore, shared by all parts of the store. Thread-safe.
struct FilesystemRoot {
  std::string name;         ///< For messages, as passed by the caller.
  std::string path;         ///< Absolute, without symbolic links.
  bool sync = false;        ///< FilesystemOptions::sync.
  bool folds_case = false;  ///< Whether the file system takes "A" for "a".

  std::string GetPath(std::string_view key) const;
  /// Returns the path of the folder that a prefix names.
  std::string GetFolder(std::string_view prefix) const {
    return GetPath(prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1));
  }
  /// Returns true if the file of a key, if there is one, is not that of a key in another case.
  bool Owns(std::string_view key) const;
  /// Throws Error(invalid_argument) if the file system cannot store a key under its own name.
  void CheckCanHold(std::string_view key) const;
  /// Forces the names in `folder` to the disk, and, with `with_parents`, the names in the folders above.
  void SyncNames(std::string folder, bool with_parents) const;

  /// Runs `function`. Adds the store and the key to its errors.
  template <typename Function>
  auto At(std::string_view key, const Function& function) const {
    try {
      return function();
    } catch (const Error& error) {
      throw error.At(name, key);
    }
  }
};

/// Returns the name of a folder as used in messages: without a trailing "/", and "." for the current folder.
std::string TrimFolderName(std::string name);
/// Forces the names in a folder to the disk. Throws Error(io) without a location.
void SyncFolder(const std::string& folder);

}  // namespace zarr
