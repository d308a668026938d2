// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/node_locks.h"

#include <utility>

#include "zarrlib/store/store_locks.h"

namespace zarr {

std::shared_ptr<void> NodeLocks::LockDocuments(std::vector<std::string> keys) {
  {
    const std::lock_guard lock(locked_mutex_);
    std::erase_if(keys, [this](const std::string& key) { return locked_.contains(key); });
  }
  auto locks = std::make_shared<std::vector<LockResult>>(LockAll(store_, keys));
  // The locks end after their documents have been removed from the set. If the pointer cannot be created, this is
  // called immediately.
  std::shared_ptr<void> locked(this, [keys, locks = std::move(locks)](NodeLocks* self) {
    const std::lock_guard lock(self->locked_mutex_);
    for (const std::string& key : keys) self->locked_.erase(key);
  });
  const std::lock_guard lock(locked_mutex_);
  locked_.insert(keys.begin(), keys.end());
  return locked;
}

std::shared_ptr<void> NodeLocks::BeginSeries() {
  return std::make_shared<std::unique_lock<std::mutex>>(series_mutex_);
}

}  // namespace zarr
