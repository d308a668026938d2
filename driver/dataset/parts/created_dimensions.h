// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gdal_zarr {

/// The arguments of a call of GDALGroup::CreateDimension.
struct CreatedDimension {
  std::string name;
  std::string type;
  std::string direction;
  std::uint64_t size = 0;
};

/// The dimensions that were created in the groups of a dataset, whether or not an array uses them. Full names are
/// GDAL's ("/a/x"). Thread-safe.
class CreatedDimensions {
 public:
  std::vector<CreatedDimension> Get(const std::string& group) const;
  bool Has(const std::string& group, const std::string& name) const;
  void Add(const std::string& group, const CreatedDimension& dimension);
  void Resize(const std::string& full_name, std::uint64_t old_size, std::uint64_t size);
  void Rename(const std::string& full_name, std::uint64_t size, const std::string& name);
  /// Drops the dimensions of a removed group and its descendants.
  void Drop(std::string_view group);
  /// Moves the dimensions of a group and its descendants to another path.
  void Move(std::string_view from, std::string_view to);

 private:
  struct OfGroup {
    std::vector<CreatedDimension> list;
    std::unordered_set<std::string> names;
  };
  CreatedDimension* Find(const std::string& full_name, std::uint64_t size);

  mutable std::mutex mutex_;
  std::unordered_map<std::string, OfGroup> groups_;
};

}  // namespace gdal_zarr
