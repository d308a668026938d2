// SPDX-License-Identifier: MIT
#include "zarrlib/array/cache/key_list_cache.h"

#include <algorithm>
#include <utility>

#include "zarrlib/base/fork_safety.h"

namespace zarr {
namespace {

/// A few absent values do not justify a list.
constexpr std::uint64_t kSeveral = 8;

}  // namespace

bool KeyList::Holds(std::uint64_t opened, std::uint64_t generation, Time now) const {
  return opened <= origin_.opened && generation == origin_.generation && now - origin_.made < kHolds;
}

KeyListCache& KeyListCache::GetShared() {
  // Never destroyed: pool threads may outlive static destructors.
  static KeyListCache* const shared = [] {
    auto* const cache = new KeyListCache;
    HoldWhileForking(&cache->mutex_);
    return cache;
  }();
  return *shared;
}

std::shared_ptr<const KeyList> KeyListCache::Find(std::uint64_t array_id) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(array_id);
  return found == entries_.end() ? nullptr : found->second.list;
}

void KeyListCache::Put(std::uint64_t array_id, std::shared_ptr<const KeyList> list) {
  const std::lock_guard lock(mutex_);
  std::size_t keys = list->size();
  for (const auto& [id, entry] : entries_) keys += entry.list && id != array_id ? entry.list->size() : 0;
  // Lists are replaced within seconds, so it does not matter which of them are dropped.
  if (keys > kMostKeys) {
    for (auto& [id, entry] : entries_) entry.list.reset();
  }
  Entry& entry = entries_[array_id];
  entry.list = std::move(list);
  entry.absent = entry.worth = entry.too_short = 0;
}

bool KeyListCache::NoteRead(std::uint64_t array_id, std::string_view key) {
  const std::lock_guard lock(mutex_);
  auto& read = entries_[array_id].read;
  return read.size() < kMostKeys && read.emplace(key).second;
}

void KeyListCache::NoteRequest(std::uint64_t array_id, std::size_t keys) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[array_id];
  ++entry.absent;
  entry.worth += keys;
}

void KeyListCache::NoteTooLong(std::uint64_t array_id, std::size_t most) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[array_id];
  entry.too_short = std::max(entry.too_short, most);
}

std::optional<std::size_t> KeyListCache::GetWorth(std::uint64_t array_id) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(array_id);
  if (found == entries_.end() || found->second.absent < kSeveral) return std::nullopt;
  const std::size_t worth = std::clamp(found->second.worth, kKeysOfRequest, kMostKeys);
  return worth >= 2 * found->second.too_short ? std::optional(worth) : std::nullopt;
}

bool KeyListCache::IsTooLong(std::uint64_t array_id, std::size_t most) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(array_id);
  return found != entries_.end() && most <= found->second.too_short;
}

void KeyListCache::EraseArray(std::uint64_t array_id) {
  const std::lock_guard lock(mutex_);
  entries_.erase(array_id);
}

}  // namespace zarr
