// SPDX-License-Identifier: MIT
#include "driver/dataset/live_objects.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "zarrlib/base/error.h"

namespace gdal_zarr {

void LiveObject::CheckNotDeleted(const std::string& name) const {
  if (!deleted_) return;
  throw zarr::Error(zarr::ErrorKind::kInvalidArgument, name + ": it has been deleted");
}

void LiveObject::FollowMove(std::string_view from, std::string_view to) {
  if (deleted_) return;
  try {
    auto moved = GetMovedPath(node_, from, to);
    if (!moved) return;
    node_ = *std::move(moved);
    OnMoved();
  } catch (...) {
    deleted_ = true;
    throw;
  }
}

void LiveObject::FollowDeletion(std::string_view path) {
  if (IsAtOrBelow(node_, path)) deleted_ = true;
}

void LiveObjects::Add(const std::shared_ptr<LiveObject>& object) {
  const std::lock_guard lock(mutex_);
  if (objects_.size() >= purge_at_) {
    std::erase_if(objects_, [](const auto& known) { return known.expired(); });
    purge_at_ = std::max<std::size_t>(64, 2 * objects_.size());
  }
  objects_.push_back(object);
}

std::vector<std::shared_ptr<LiveObject>> LiveObjects::GetAll() const {
  std::vector<std::shared_ptr<LiveObject>> all;
  const std::lock_guard lock(mutex_);
  for (const auto& known : objects_) {
    if (auto object = known.lock()) all.push_back(std::move(object));
  }
  return all;
}

void LiveObjects::ForEach(const std::function<void(LiveObject&)>& function) const {
  std::exception_ptr first;  // also std::bad_alloc: all objects are to be told
  for (const auto& object : GetAll()) {
    try {
      function(*object);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

void LiveObjects::Move(std::string_view from, std::string_view to) {
  ForEach([&](LiveObject& object) { object.FollowMove(from, to); });
}

void LiveObjects::Delete(std::string_view path) {
  ForEach([&](LiveObject& object) { object.FollowDeletion(path); });
}

void LiveObjects::SavePending() {
  ForEach([](LiveObject& object) { object.SavePending(); });
}

void LiveObjects::SavePending(std::string_view node) {
  ForEach([node](LiveObject& object) {
    if (object.node() == node) object.SavePending();
  });
}

bool IsAtOrBelow(std::string_view path, std::string_view node) {
  return path == node || node.empty() || (path.starts_with(node) && path[node.size()] == '/');
}

std::optional<std::string> GetMovedPath(std::string_view path, std::string_view from, std::string_view to) {
  if (!IsAtOrBelow(path, from)) return std::nullopt;
  return std::string(to) + std::string(path.substr(from.size()));
}

}  // namespace gdal_zarr
