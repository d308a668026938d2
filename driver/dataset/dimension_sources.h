// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// Which arrays of a group tell its dimensions: each the first one that has a further one. GDAL asks a group for its
/// dimensions whenever it copies an array into it; so arrays that are made here are looked at once, and the group is
/// listed once. Thread-safe.
class DimensionSources {
 public:
  /// Lists the paths of all arrays of a group.
  using List = std::function<std::vector<std::string>()>;
  /// Returns the full names of an array's dimensions that belong to its group.
  using GetNames = std::function<std::vector<std::string>(const std::string& path)>;

  /// Returns the paths of those arrays, in order. Throws what the functions throw.
  std::vector<std::string> Find(const zarr::Hierarchy& hierarchy, const std::string& group, const List& list,
                                const GetNames& get_names);
  /// Makes the next call look at all arrays. Call this when nodes, or names of dimensions, have changed.
  void Forget();

 private:
  struct Known {
    std::size_t created = 0;  // how many nodes of the hierarchy had been made
    std::set<std::string> names;
    std::vector<std::string> arrays;
  };

  std::mutex mutex_;
  std::map<std::string, Known> groups_;
  std::size_t forgotten_ = 0;  // the calls of Forget
};

}  // namespace gdal_zarr
