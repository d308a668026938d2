// SPDX-License-Identifier: MIT
#include "driver/dataset/parts/array_objects.h"

#include <utility>

#include "driver/dataset/node_paths.h"

namespace gdal_zarr {

std::shared_ptr<EditableArray> ArrayObjects::Find(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto object = objects_.find(path);
  return object == objects_.end() ? nullptr : object->second.lock();
}

std::shared_ptr<EditableArray> ArrayObjects::Add(const std::string& path, const std::shared_ptr<EditableArray>& array) {
  const std::lock_guard lock(mutex_);
  coordinates_.erase(path);  // the user may change them
  std::weak_ptr<EditableArray>& known = objects_[path];
  if (auto other = known.lock()) return other;
  known = array;
  return array;
}

void ArrayObjects::NoteCoordinates(const std::string& path, std::vector<double> values) {
  if (Find(path)) return;
  const std::lock_guard lock(mutex_);
  coordinates_[path] = std::move(values);
}

std::optional<std::vector<double>> ArrayObjects::FindCoordinates(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto own = coordinates_.find(path);
  return own == coordinates_.end() ? std::nullopt : std::optional(own->second);
}

void ArrayObjects::Drop(std::string_view path) {
  const auto is_below = [path](const auto& entry) { return IsAtOrBelow(entry.first, path); };
  const std::lock_guard lock(mutex_);
  std::erase_if(objects_, is_below);
  std::erase_if(coordinates_, is_below);
}

void ArrayObjects::Move(std::string_view from, std::string_view to) {
  const std::lock_guard lock(mutex_);
  auto objects = MoveKeys(objects_, from, to);
  coordinates_ = MoveKeys(coordinates_, from, to);
  objects_ = std::move(objects);
}

}  // namespace gdal_zarr
