// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdal_zarr {

/// An object of GDAL's API that represents a node, or a part of a node, of a dataset in update mode. It follows the
/// node when the node is renamed, and cannot be used after the node is deleted.
class LiveObject {
 public:
  /// `node` is the path of the node.
  explicit LiveObject(std::string node) : node_(std::move(node)) {}
  virtual ~LiveObject() = default;
  LiveObject(const LiveObject&) = delete;
  LiveObject& operator=(const LiveObject&) = delete;

  const std::string& node() const { return node_; }
  bool deleted() const { return deleted_; }
  /// Throws zarr::Error(invalid_argument) if the object has been deleted. `name` is GDAL's name of the object.
  void CheckNotDeleted(const std::string& name) const;

  /// Called after a node has moved from `from` to `to`, with all nodes below it. Throws zarr::Error.
  virtual void FollowMove(std::string_view from, std::string_view to);
  /// Called after the node at `path` has been deleted, with all nodes below it.
  virtual void FollowDeletion(std::string_view path);
  /// Saves an object that was created, but whose value has not been set yet. Throws zarr::Error.
  virtual void SavePending() {}

 protected:
  /// Called when `node` has changed to another path. Throws zarr::Error.
  virtual void OnMoved() {}
  void SetNode(std::string node) { node_ = std::move(node); }
  void SetDeleted() { deleted_ = true; }

 private:
  std::string node_;
  std::atomic<bool> deleted_ = false;
};

/// Tracks the objects of one dataset that are in use, without owning them. Thread-safe.
class LiveObjects {
 public:
  void Add(const std::shared_ptr<LiveObject>& object);
  std::vector<std::shared_ptr<LiveObject>> GetAll() const;
  /// Returns the objects of a class that belong to a node.
  template <typename Object>
  std::vector<std::shared_ptr<Object>> FindAll(std::string_view node) const {
    std::vector<std::shared_ptr<Object>> found;
    for (const auto& object : GetAll()) {
      auto wanted = object->node() == node ? std::dynamic_pointer_cast<Object>(object) : nullptr;
      if (wanted) found.push_back(std::move(wanted));
    }
    return found;
  }

  /// Notifies all objects that a node has moved. An object that cannot follow counts as deleted. After all have been
  /// notified, throws the first error.
  void Move(std::string_view from, std::string_view to);
  void Delete(std::string_view path);
  /// Records that an object, which has been added, has no value yet.
  void AddPending(const std::shared_ptr<LiveObject>& object);
  /// Calls SavePending of all recorded objects, or of those of one node. A failure does not stop the remaining calls;
  /// the first error is thrown at the end.
  void SavePending();
  void SavePending(std::string_view node);

 private:
  using Objects = std::vector<std::weak_ptr<LiveObject>>;
  static std::vector<std::shared_ptr<LiveObject>> LockAll(const Objects& objects);
  static void ForEach(const std::vector<std::shared_ptr<LiveObject>>& objects,
                      const std::function<void(LiveObject&)>& function);

  mutable std::mutex mutex_;
  Objects objects_;
  std::map<std::string, Objects, std::less<>> pending_;  // by node; some may have got their values since
  std::size_t purge_at_ = 64;
};

}  // namespace gdal_zarr
