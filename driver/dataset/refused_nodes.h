// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gdal_zarr {

/// Collects the paths of the groups and arrays that this thread asks for, and does not get, while the object lives:
/// those that are not made, and those of any store that cannot be read or, for groups, listed. GDAL's copying goes on
/// without them. At most one object per thread.
class RefusedNodes {
 public:
  RefusedNodes();
  ~RefusedNodes();
  RefusedNodes(const RefusedNodes&) = delete;
  RefusedNodes& operator=(const RefusedNodes&) = delete;

  /// Tells the thread's object, if there is one, of a node that is not made.
  static void Note(const std::string& path);
  /// Tells it of a node that cannot be read. Calls `read`, and passes on its result or what it throws.
  template <typename Read>
  static auto NoteIfUnread(const std::string& path, Read&& read) {
    try {
      return std::forward<Read>(read)();
    } catch (...) {
      NoteUnread(path);
      throw;
    }
  }
  const std::vector<std::string>& paths() const { return paths_; }
  const std::vector<std::string>& unread() const { return unread_; }

 private:
  static void NoteUnread(const std::string& path);

  std::vector<std::string> paths_;
  std::vector<std::string> unread_;
};

}  // namespace gdal_zarr
