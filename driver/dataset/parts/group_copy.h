// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace gdal_zarr {

/// GDAL's copies of groups into a dataset, and the arrays that the driver makes by itself, such as grid mappings
/// ("helpers"). Thread-safe.
class GroupCopy {
 public:
  /// Marks an array that the driver made by itself. A user who creates an array of that name replaces it.
  void AddHelper(const std::string& path);
  /// Removes the mark. Returns whether there was one.
  bool TakeHelper(const std::string& path);
  /// Calls a function that copies a group, and does not throw. Meanwhile the helpers are hidden from GDAL: some
  /// versions copy no array of which there seems to be one.
  bool Run(const std::function<bool()>& copy);
  /// Calls a function when the copy of a group, and of those around it, has ended. Returns false if none is running. If
  /// the function reports an error to GDAL, Run returns false.
  bool DoAfter(std::function<void()> change);
  /// Whether a group is being copied: what the arrays say is then what those of the source say.
  bool is_running() const { return copied_groups_ > 0 || is_ending_; }
  bool HidesHelper(const std::string& path) const;
  /// Drops the marks of nodes that are removed: at and below a path.
  void Drop(std::string_view path);
  /// Lets the marks follow nodes to another path.
  void Move(std::string_view from, std::string_view to);

 private:
  mutable std::mutex mutex_;
  std::unordered_set<std::string> helpers_;
  std::vector<std::function<void()>> after_;
  std::atomic<int> copied_groups_ = 0;   // how many copies of a group, one in another, are running
  std::atomic<bool> is_ending_ = false;  // while the functions after a copy run
};

}  // namespace gdal_zarr
