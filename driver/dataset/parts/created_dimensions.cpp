// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/created_dimensions.h"

#include <algorithm>

#include "driver/dataset/node_paths.h"

namespace gdal_zarr {

std::vector<CreatedDimension> CreatedDimensions::Get(const std::string& group) const {
  const std::lock_guard lock(mutex_);
  const auto dimensions = groups_.find(group);
  return dimensions == groups_.end() ? std::vector<CreatedDimension>() : dimensions->second.list;
}

bool CreatedDimensions::Has(const std::string& group, const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto dimensions = groups_.find(group);
  return dimensions != groups_.end() && dimensions->second.names.contains(name);
}

void CreatedDimensions::Add(const std::string& group, const CreatedDimension& dimension) {
  const std::lock_guard lock(mutex_);
  OfGroup& dimensions = groups_[group];
  dimensions.list.push_back(dimension);
  dimensions.names.insert(dimension.name);
}

CreatedDimension* CreatedDimensions::Find(const std::string& full_name, std::uint64_t size) {
  const std::string path = full_name.substr(1);
  const std::string name = GetNodeName(path);
  for (CreatedDimension& dimension : groups_[GetParentPath(path)].list) {
    if (dimension.name == name && dimension.size == size) return &dimension;
  }
  return nullptr;
}

void CreatedDimensions::Resize(const std::string& full_name, std::uint64_t old_size, std::uint64_t size) {
  const std::lock_guard lock(mutex_);
  if (CreatedDimension* dimension = Find(full_name, old_size)) dimension->size = size;
}

void CreatedDimensions::Rename(const std::string& full_name, std::uint64_t size, const std::string& name) {
  const std::lock_guard lock(mutex_);
  CreatedDimension* dimension = Find(full_name, size);
  if (!dimension) return;
  std::unordered_set<std::string>& names = groups_[GetParentPath(full_name.substr(1))].names;
  names.erase(dimension->name);
  names.insert(name);
  dimension->name = name;
}

void CreatedDimensions::Drop(std::string_view group) {
  const std::lock_guard lock(mutex_);
  std::erase_if(groups_, [group](const auto& entry) { return IsAtOrBelow(entry.first, group); });
}

void CreatedDimensions::Move(std::string_view from, std::string_view to) {
  const std::lock_guard lock(mutex_);
  groups_ = MoveKeys(groups_, from, to);
}

}  // namespace gdal_zarr
