// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace gdal_zarr {

/// Collects the paths of the groups and arrays that this thread asks for, and does not get, while the object lives.
/// GDAL's copying goes on without them. At most one object per thread.
class RefusedNodes {
 public:
  RefusedNodes();
  ~RefusedNodes();
  RefusedNodes(const RefusedNodes&) = delete;
  RefusedNodes& operator=(const RefusedNodes&) = delete;

  /// Tells the thread's object, if there is one, of a node that is not made.
  static void Note(const std::string& path);
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> paths_;
};

}  // namespace gdal_zarr
