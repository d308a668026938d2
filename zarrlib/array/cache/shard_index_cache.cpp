// SPDX-License-Identifier: MIT
#include "zarrlib/array/cache/shard_index_cache.h"

#include <utility>

#include "zarrlib/base/fork_safety.h"

namespace zarr {
namespace {

constexpr std::size_t kLimit = std::size_t{64} << 20;

}  // namespace

std::size_t ShardIndexCache::Hash::operator()(const ChunkId& key) const {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;
  return static_cast<std::size_t>((key.array_id * kMix) ^ (key.chunk + kMix) * kMix);
}

ShardIndexCache& ShardIndexCache::GetShared() {
  // Never destroyed: pool threads may outlive static destructors.
  static ShardIndexCache* const shared = [] {
    auto* const cache = new ShardIndexCache;
    HoldWhileForking(&cache->mutex_);
    return cache;
  }();
  return *shared;
}

std::shared_ptr<const IndexedShard> ShardIndexCache::Find(const ChunkId& key) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->shard;
}

void ShardIndexCache::Insert(const ChunkId& key, std::shared_ptr<const IndexedShard> shard,
                             const std::atomic<std::uint64_t>& generation, std::uint64_t expected) {
  const std::size_t size = shard->decoder->memory_size();
  if (size > kLimit / 4) return;
  std::list<Entry> inserted;
  inserted.push_front({key, std::move(shard), size});
  const std::lock_guard lock(mutex_);
  if (generation.load() != expected) return;
  if (const auto found = index_.find(key); found != index_.end()) Remove(found->second);
  index_.emplace(key, inserted.begin());
  // Nothing below allocates: the entry is in both containers or in none.
  entries_.splice(entries_.begin(), inserted);
  size_ += size;
  DropExcess();
}

void ShardIndexCache::Recount(const ChunkId& key) {
  std::shared_ptr<const IndexedShard> shard;
  {
    const std::lock_guard lock(mutex_);
    const auto found = index_.find(key);
    if (found == index_.end()) return;
    shard = found->second->shard;
  }
  const std::size_t size = shard->decoder->memory_size();  // locks a mutex of its own
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end() || found->second->shard != shard) return;
  size_ += size - std::exchange(found->second->size, size);
  DropExcess();
}

std::size_t ShardIndexCache::size() {
  const std::lock_guard lock(mutex_);
  return size_;
}

void ShardIndexCache::DropExcess() {
  while (size_ > kLimit) Remove(std::prev(entries_.end()));
}

void ShardIndexCache::Erase(const ChunkId& key) {
  const std::lock_guard lock(mutex_);
  if (const auto found = index_.find(key); found != index_.end()) Remove(found->second);
}

void ShardIndexCache::EraseArray(std::uint64_t array_id) {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto here = entry++;
    if (here->key.array_id == array_id) Remove(here);
  }
}

void ShardIndexCache::Remove(std::list<Entry>::iterator entry) {
  size_ -= entry->size;
  index_.erase(entry->key);
  entries_.erase(entry);
}

}  // namespace zarr
