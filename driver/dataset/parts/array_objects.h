// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gdal_zarr {

class EditableArray;

/// The objects that represent the arrays of a writable dataset, by path, and values of coordinates that the dataset has
/// written itself. Thread-safe.
class ArrayObjects {
 public:
  /// Returns the one object that represents an array, so that all its users see each change. Returns null if the array
  /// is not in use.
  std::shared_ptr<EditableArray> Find(const std::string& path) const;
  /// Adds the object of an array, and returns it, or the one that another thread has added in the meantime.
  std::shared_ptr<EditableArray> Add(const std::string& path, const std::shared_ptr<EditableArray>& array);
  /// Caches the values of coordinates that this dataset writes or compares, unless their array is in use: a user may
  /// change it.
  void NoteCoordinates(const std::string& path, std::vector<double> values);
  /// Returns the cached values for the array at a path, or nullopt if there are none.
  std::optional<std::vector<double>> FindCoordinates(const std::string& path) const;
  /// Drops the entries of removed nodes, at and below a path.
  void Drop(std::string_view path);
  /// Moves the entries of nodes to another path.
  void Move(std::string_view from, std::string_view to);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<EditableArray>> objects_;
  std::unordered_map<std::string, std::vector<double>> coordinates_;
};

}  // namespace gdal_zarr
