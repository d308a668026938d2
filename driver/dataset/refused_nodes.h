// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gdal_zarr {

/// Collects, during its lifetime, the paths of the groups and arrays that this thread requests and does not get: nodes
/// that cannot be created, and nodes of any store that cannot be read or, for groups, listed. GDAL's copying continues
/// without them. The thread's object is the last one.
class RefusedNodes {
 public:
  RefusedNodes();
  ~RefusedNodes();
  RefusedNodes(const RefusedNodes&) = delete;
  RefusedNodes& operator=(const RefusedNodes&) = delete;

  /// Records a node that was not created in this thread's object, if there is one.
  static void Note(const std::string& path);
  /// Calls `read`, and returns its result or passes on its error. Records a node that cannot be read.
  template <typename Read>
  static auto NoteIfUnread(const std::string& path, Read&& read) {
    try {
      return std::forward<Read>(read)();
    } catch (...) {
      NoteUnread(path);
      throw;
    }
  }
  /// Returns true if this thread's object has a node that could not be read.
  static bool HasUnread(const std::string& path);
  /// Each path is there once, however often its node was requested.
  const std::vector<std::string>& paths() const { return paths_; }
  const std::vector<std::string>& unread() const { return unread_; }

 private:
  static void NoteUnread(const std::string& path);

  RefusedNodes* const outer_;
  std::vector<std::string> paths_;
  std::vector<std::string> unread_;
};

}  // namespace gdal_zarr
