#include "zarrlib/array/shard_cache.h"

#include <utility>

#include "zarrlib/base/fork_safety.h"

namespace zarr {
namespace {

constexpr std::size_t kLimit = std::size_t{64} << 20;

}  // namespace

std::size_t ShardCache::Hash::operator()(const LeafKey& key) const {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;
  return static_cast<std::size_t>((key.array_id * kMix) ^ (key.chunk + kMix) * kMix);
}

ShardCache& ShardCache::Shared() {
  // Never destroyed: pool threads may outlive static destructors.
  static ShardCache* const shared = [] {
    auto* const cache = new ShardCache;
    HoldWhileForking(&cache->mutex_);
    return cache;
  }();
  return *shared;
}

std::shared_ptr<const OpenShard> ShardCache::Find(const LeafKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->shard;
}

void ShardCache::Insert(const LeafKey& key, std::shared_ptr<const OpenShard> shard,
                        const std::atomic<std::uint64_t>& generation, std::uint64_t expected) {
  const std::size_t size = shard->decoder->memory_size();
  if (size > kLimit / 4) return;
  std::list<Entry> inserted;
  inserted.push_front({key, std::move(shard), size});
  const std::lock_guard lock(mutex_);
  if (generation.load() != expected) return;
  if (const auto found = index_.find(key); found != index_.end()) Remove(found->second);
  index_.emplace(key, inserted.begin());
  // Nothing from here on can run out of memory: an entry is in both or in none.
  entries_.splice(entries_.begin(), inserted);
  size_ += size;
  DropExcess();
}

void ShardCache::Recount(const LeafKey& key) {
  std::shared_ptr<const OpenShard> shard;
  {
    const std::lock_guard lock(mutex_);
    const auto found = index_.find(key);
    if (found == index_.end()) return;
    shard = found->second->shard;
  }
  const std::size_t size = shard->decoder->memory_size();  // which takes a mutex of its own
  const std::lock_guard lock(mutex_);
  const auto found = index_.find(key);
  if (found == index_.end() || found->second->shard != shard) return;
  size_ += size - std::exchange(found->second->size, size);
  DropExcess();
}

std::size_t ShardCache::size() {
  const std::lock_guard lock(mutex_);
  return size_;
}

void ShardCache::DropExcess() {
  while (size_ > kLimit) Remove(std::prev(entries_.end()));
}

void ShardCache::Erase(const LeafKey& key) {
  const std::lock_guard lock(mutex_);
  if (const auto found = index_.find(key); found != index_.end()) Remove(found->second);
}

void ShardCache::EraseArray(std::uint64_t array_id) {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto here = entry++;
    if (here->key.array_id == array_id) Remove(here);
  }
}

void ShardCache::Remove(std::list<Entry>::iterator entry) {
  size_ -= entry->size;
  index_.erase(entry->key);
  entries_.erase(entry);
}

}  // namespace zarr
