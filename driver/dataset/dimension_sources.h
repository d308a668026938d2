// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"

namespace gdal_zarr {

/// Finds the arrays that define a group's dimensions: the first array with each dimension. GDAL asks a group for its
/// dimensions whenever it copies an array into it. Therefore the group is listed only once, and each array created here
/// is inspected only once. Thread-safe.
class DimensionSources {
 public:
  /// Returns the paths of all arrays of a group.
  using List = std::function<std::vector<std::string>()>;
  /// Returns the full names of an array's dimensions that belong to its group.
  using GetNames = std::function<std::vector<std::string>(const std::string& path)>;

  /// Returns the paths of the arrays that define dimensions, in order. Passes on errors thrown by the functions.
  std::vector<std::string> Find(const zarr::Hierarchy& hierarchy, const std::string& group, const List& list,
                                const GetNames& get_names);
  /// Records that a new array has no dimension that the group does not have already: it need not be inspected.
  void NoteWithoutNew(const std::string& path);
  /// Makes the next call inspect all arrays. Call this when nodes or names of dimensions have changed.
  void Forget();

 private:
  struct Known {
    std::size_t created = 0;  // number of the hierarchy's nodes that had been created
    std::set<std::string> names;
    std::vector<std::string> arrays;
  };

  /// Returns the nodes of a group that have to be inspected, of those that were created.
  std::vector<std::string> ChooseToInspect(const std::vector<std::string>& created, const std::string& group);

  std::mutex mutex_;
  std::map<std::string, Known> groups_;
  std::unordered_set<std::string> without_new_;  // paths of NoteWithoutNew
  std::size_t forgotten_ = 0;                    // number of calls of Forget
};

}  // namespace gdal_zarr
