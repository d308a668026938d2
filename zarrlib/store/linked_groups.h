// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>

#include "zarrlib/store/store.h"

namespace zarr {

/// Chooses the groups that a walk through a store enters. Symbolic links inside folders that links lead to can give one
/// folder a number of paths that grows exponentially with their depth: of the paths of more than one link, only the one
/// that was met first is shown. Thread-safe.
class LinkedGroups {
 public:
  /// Whether lists show the group at a path. The answer for a path stays the same.
  bool IsShown(const Store& store, const std::string& path);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::string> paths_;  // by the identity of the folder
};

}  // namespace zarr
