// SPDX-License-Identifier: MIT
#include <utility>

#include "zarrlib/hierarchy/formats/node_format.h"
#include "zarrlib/hierarchy/hierarchy.h"
#include "zarrlib/hierarchy/node_documents.h"
#include "zarrlib/metadata/document_names.h"
#include "zarrlib/metadata/node_path.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

std::string Hierarchy::GetLockKey(std::string_view path) const {
  return GetLockKey(path, GetFormat(path));
}

std::string Hierarchy::GetLockKey(std::string_view path, const NodeFormat& format) const {
  if (format.version() != ZarrFormat::kV2) return JoinKey(path, format.node_documents().front());
  if (format.FindKind(*documents_, path) == NodeKind::kArray) return JoinKey(path, kV2Array);
  // A root that is only told by consolidated metadata has no other document.
  const bool has_group = !path.empty() || store_->Exists(kV2Group);
  return JoinKey(path, has_group ? kV2Group : kV2Consolidated);
}

std::shared_ptr<void> Hierarchy::LockDocuments(std::vector<std::string> keys) {
  {
    const std::lock_guard lock(locked_mutex_);
    std::erase_if(keys, [this](const std::string& key) { return locked_.contains(key); });
  }
  auto locks = std::make_shared<std::vector<LockResult>>(LockAll(*store_, keys));
  // The locks end after their documents have left the set. A pointer that cannot be made calls this at once.
  std::shared_ptr<void> locked(this, [keys, locks = std::move(locks)](Hierarchy* self) {
    const std::lock_guard lock(self->locked_mutex_);
    for (const std::string& key : keys) self->locked_.erase(key);
  });
  const std::lock_guard lock(locked_mutex_);
  locked_.insert(keys.begin(), keys.end());
  return locked;
}

std::shared_ptr<void> Hierarchy::LockAndRefresh(std::string_view path, const NodeFormat& format) {
  auto locked = LockDocuments({GetLockKey(path, format)});
  if (IsBeingMade(path)) return locked;
  // On a network each look is a request. Documents that are not in memory are read anyway.
  const bool is_read_anyway = !consolidated() && !path.empty() && !documents_->deferring();
  if (IsOnNetwork() && is_read_anyway) return locked;
  if (documents_->Refresh(path, format.node_documents()) || Probe(path) != NodeKind::kArray) return locked;
  throw Error(ErrorKind::kNotFound, store_->name(), std::string(path), "",
              "the array has been removed or renamed since it was opened");
}

std::shared_ptr<void> Hierarchy::LockNodes(const std::vector<std::string>& paths) {
  auto series = std::make_shared<std::unique_lock<std::mutex>>(series_mutex_);
  const std::lock_guard lock(change_mutex_);
  std::set<std::string> keys;
  for (std::string_view path : paths) {
    keys.insert(GetLockKey(path));
    while (!path.empty()) {
      path = ParentPath(path);
      keys.insert(GetLockKey(path));
    }
  }
  auto locks = LockDocuments({keys.begin(), keys.end()});
  return {this, [series = std::move(series), locks = std::move(locks)](Hierarchy*) mutable {
            locks.reset();
            series.reset();
          }};
}

std::unique_ptr<StoreLock> Hierarchy::LockGroup(std::string_view path) {
  // On a network locks exclude nobody, and each look is a request. A store that is being made has no other writers.
  if (IsOnNetwork() || (made_in_empty_place_ && documents_->deferring())) return nullptr;
  const std::string prefix = path.empty() ? std::string() : std::string(path) + "/";
  auto lock = LockFolder(*store_, prefix);
  const auto listing = store_->List(prefix, {.freshness = Freshness::kNow});
  const std::lock_guard change_lock(change_mutex_);
  documents_->Refresh(path, GetFormat(path).node_documents());
  for (const std::string& name : listing ? listing->prefixes : std::vector<std::string>()) {
    const std::string child = JoinKey(path, name);
    documents_->Refresh(child, GetFormat(child).node_documents());
  }
  const std::lock_guard arrays_lock(mutex_);
  // Those that others have removed are not listed.
  std::erase_if(arrays_, [&](const auto& array) { return !array.first.empty() && ParentPath(array.first) == path; });
  return lock;
}

}  // namespace zarr
