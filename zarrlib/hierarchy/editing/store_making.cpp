// SPDX-License-Identifier: MIT
#include "zarrlib/hierarchy/editing/store_making.h"

namespace zarr {

void StoreMaking::SetMadeStore() {
  made_in_empty_place_ = store_.info().lists;
  made_at_ = std::chrono::steady_clock::now();
}

bool StoreMaking::IsAlone() const {
  return made_in_empty_place_ && store_.info().is_on_network() &&
         std::chrono::steady_clock::now() - made_at_ < alone_for_;
}

void StoreMaking::Add(std::string_view path) {
  const std::lock_guard lock(mutex_);
  paths_.emplace_back(path);
  names_.emplace(path);
}

void StoreMaking::Remove(std::string_view path) {
  const std::lock_guard lock(mutex_);
  if (names_.erase(std::string(path)) > 0) std::erase(paths_, path);
}

bool StoreMaking::HasMade(std::string_view path) const {
  const std::lock_guard lock(mutex_);
  return names_.contains(std::string(path));
}

std::optional<std::vector<std::string>> StoreMaking::GetSince(std::size_t count) const {
  const std::lock_guard lock(mutex_);
  if (paths_.size() < count) return std::nullopt;
  return std::vector<std::string>(paths_.begin() + static_cast<std::ptrdiff_t>(count), paths_.end());
}

}  // namespace zarr
