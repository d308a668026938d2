// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>

#include "zarrlib/store/store.h"

namespace zarr {

/// Chooses the groups that a walk through a store enters. Symbolic links inside linked folders can give one folder a
/// number of paths that grows exponentially with their depth. Of the paths with more than one link to the same folder,
/// only the first one found is shown. Thread-safe.
class LinkedGroups {
 public:
  /// Returns true if lists show the group at a path. The answer for a path stays the same.
  bool IsShown(const Store& store, const std::string& path);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::string> paths_;  // by the identity of the folder
};

}  // namespace zarr
