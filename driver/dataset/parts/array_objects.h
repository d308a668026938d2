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

/// The objects that stand for the arrays of a writable dataset, by path, and values of coordinates that the dataset has
/// written itself. Thread-safe.
class ArrayObjects {
 public:
  /// Finds the one object that stands for an array, so that all its users see each change; null if the array is not in
  /// use.
  std::shared_ptr<EditableArray> Find(const std::string& path) const;
  void Set(const std::string& path, const std::shared_ptr<EditableArray>& array);
  /// Remembers the values of coordinates that this dataset writes or compares, unless their array is in use: a user may
  /// change it.
  void NoteCoordinates(const std::string& path, std::vector<double> values);
  /// The values that were noted for the array at a path; nothing if there are none.
  std::optional<std::vector<double>> FindCoordinates(const std::string& path) const;
  /// Drops what is known of nodes that are removed: at and below a path.
  void Drop(std::string_view path);
  /// Lets what is known of nodes follow them to another path.
  void Move(std::string_view from, std::string_view to);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<EditableArray>> objects_;
  std::unordered_map<std::string, std::vector<double>> coordinates_;
};

}  // namespace gdal_zarr
