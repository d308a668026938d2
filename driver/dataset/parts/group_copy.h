// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "driver/gdal/gdal_compat.h"

namespace gdal_zarr {

/// Tracks GDAL's copies of groups into a dataset, and the arrays that the driver creates automatically, such as grid
/// mappings ("helpers"). Thread-safe.
class GroupCopy {
 public:
  /// Marks an array that the driver created automatically. It is replaced when a user creates an array of that name.
  void AddHelper(const std::string& path);
  /// Removes the mark. Returns true if there was one.
  bool TakeHelper(const std::string& path);
  bool HasHelper(const std::string& path) const;
  /// Calls a function that copies a group and does not throw. While it runs, helpers are hidden from GDAL: some
  /// versions do not copy an array that seems to exist.
  bool Run(const std::function<bool()>& copy);
  /// Schedules a function that is called when the outermost running copy has ended. Returns false if no copy is
  /// running. If the function reports an error to GDAL, Run returns false.
  bool DoAfter(std::function<void()> change);
  /// Returns true while a group is being copied. The arrays then have the attributes of their sources.
  bool is_running() const { return copied_groups_ > 0 || is_ending_; }
  /// Opens a file of the source by one of GDAL's drivers, with the multidimensional API. While a copy is running, the
  /// last few files stay open for further calls. Returns null if it cannot be opened.
  std::shared_ptr<GDALDataset> OpenSource(const std::string& name, const char* const* drivers);
  /// The file and the array that an array of a virtual dataset reads, by the array's full name.
  using VirtualArrays = std::map<std::string, std::pair<std::string, std::string>>;
  /// Returns what a function lists for a virtual dataset. While a copy is running, the function is called only once.
  std::shared_ptr<const VirtualArrays> GetVirtualArrays(const GDALDataset& dataset,
                                                        const std::function<VirtualArrays()>& list);
  bool HidesHelper(const std::string& path) const;
  /// Drops the marks of removed nodes, at and below a path.
  void Drop(std::string_view path);
  /// Moves the marks of nodes to another path.
  void Move(std::string_view from, std::string_view to);

 private:
  void CloseSources();

  mutable std::mutex mutex_;
  std::unordered_set<std::string> helpers_;
  std::vector<std::function<void()>> after_;
  // Both are kept until the outermost running copy has ended.
  std::deque<std::pair<std::string, std::shared_ptr<GDALDataset>>> sources_;
  std::map<const GDALDataset*, std::shared_ptr<const VirtualArrays>> virtual_arrays_;
  std::atomic<int> copied_groups_ = 0;   // number of nested copies of groups that are running
  std::atomic<bool> is_ending_ = false;  // true while the functions after a copy run
};

}  // namespace gdal_zarr
