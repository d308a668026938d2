#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdal_zarr {

/// An object of GDAL's that stands for a node of a dataset that can change, or for what belongs to that node. It goes
/// on at the node's new path after a renaming, and is of no use after a deletion.
class LiveObject {
 public:
  /// `node` is the path of the node.
  explicit LiveObject(std::string node) : node_(std::move(node)) {}
  virtual ~LiveObject() = default;
  LiveObject(const LiveObject&) = delete;
  LiveObject& operator=(const LiveObject&) = delete;

  const std::string& node() const { return node_; }
  bool deleted() const { return deleted_; }
  /// Throws zarr::Error(invalid_argument) if what this stands for has been deleted; `name` is how GDAL calls it.
  void CheckNotDeleted(const std::string& name) const;

  /// What was at or below `from` is at or below `to` now. Throws zarr::Error.
  virtual void FollowMove(std::string_view from, std::string_view to);
  /// What was at or below `path` is gone.
  virtual void FollowDeletion(std::string_view path);
  /// Stores what was created and waits to be given a value. Throws zarr::Error.
  virtual void SavePending() {}

 protected:
  /// Called when `node` has become another path. Throws zarr::Error.
  virtual void OnMoved() {}
  void SetNode(std::string node) { node_ = std::move(node); }
  void SetDeleted() { deleted_ = true; }

 private:
  std::string node_;
  std::atomic<bool> deleted_ = false;
};

/// The objects of one dataset that anyone holds. It does not own them. Thread-safe.
class LiveObjects {
 public:
  void Add(const std::shared_ptr<LiveObject>& object);
  std::vector<std::shared_ptr<LiveObject>> All() const;
  /// Those of a class, of one node.
  template <typename Object>
  std::vector<std::shared_ptr<Object>> Of(std::string_view node) const {
    std::vector<std::shared_ptr<Object>> found;
    for (const auto& object : All()) {
      auto wanted = object->node() == node ? std::dynamic_pointer_cast<Object>(object) : nullptr;
      if (wanted) found.push_back(std::move(wanted));
    }
    return found;
  }

  /// Tells all that a node has another path. One that cannot go on there is as if it were deleted; the first error of
  /// these is thrown when all have been told.
  void Move(std::string_view from, std::string_view to);
  void Delete(std::string_view path);
  /// Of all objects, or of those of one node. All are tried; throws the first zarr::Error.
  void SavePending();
  void SavePending(std::string_view node);

 private:
  void ForEach(const std::function<void(LiveObject&)>& function) const;

  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<LiveObject>> objects_;
  std::size_t purge_at_ = 64;
};

/// Whether a path is that of a node, or of one below it.
bool IsAtOrBelow(std::string_view path, std::string_view node);
/// The path that one at or below `from` has when that is moved to `to`; nothing for others.
std::optional<std::string> MovedPath(std::string_view path, std::string_view from, std::string_view to);

}  // namespace gdal_zarr
