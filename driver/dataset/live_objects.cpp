// SPDX-License-Identifier: MIT
#include "driver/dataset/live_objects.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "driver/dataset/node_paths.h"
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

std::vector<std::shared_ptr<LiveObject>> LiveObjects::LockAll(const Objects& objects) {
  std::vector<std::shared_ptr<LiveObject>> all;
  for (const auto& known : objects) {
    if (auto object = known.lock()) all.push_back(std::move(object));
  }
  return all;
}

std::vector<std::shared_ptr<LiveObject>> LiveObjects::GetAll() const {
  const std::lock_guard lock(mutex_);
  return LockAll(objects_);
}

void LiveObjects::ForEach(const std::vector<std::shared_ptr<LiveObject>>& objects,
                          const std::function<void(LiveObject&)>& function) {
  std::exception_ptr first;  // may be std::bad_alloc: all objects must be notified
  for (const auto& object : objects) {
    try {
      function(*object);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

void LiveObjects::Move(std::string_view from, std::string_view to) {
  ForEach(GetAll(), [&](LiveObject& object) { object.FollowMove(from, to); });
}

void LiveObjects::Delete(std::string_view path) {
  ForEach(GetAll(), [&](LiveObject& object) { object.FollowDeletion(path); });
}

void LiveObjects::AddPending(const std::shared_ptr<LiveObject>& object) {
  const std::lock_guard lock(mutex_);
  pending_[object->node()].push_back(object);
}

void LiveObjects::SavePending() {
  std::map<std::string, Objects, std::less<>> pending;
  {
    const std::lock_guard lock(mutex_);
    pending.swap(pending_);
  }
  std::vector<std::shared_ptr<LiveObject>> objects;
  for (const auto& [node, of_node] : pending) std::ranges::move(LockAll(of_node), std::back_inserter(objects));
  ForEach(objects, [](LiveObject& object) { object.SavePending(); });
}

void LiveObjects::SavePending(std::string_view node) {
  std::vector<std::shared_ptr<LiveObject>> objects;
  {
    const std::lock_guard lock(mutex_);
    const auto pending = pending_.find(node);
    if (pending == pending_.end()) return;
    objects = LockAll(pending->second);
    pending_.erase(pending);
  }
  ForEach(objects, [](LiveObject& object) { object.SavePending(); });
}

}  // namespace gdal_zarr
