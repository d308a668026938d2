#include "zarrlib/array/leaf_cache.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string_view>
#include <utility>

#include "zarrlib/base/fork_safety.h"

namespace zarr {
namespace {

constexpr std::size_t kDefaultLimit = std::size_t{512} << 20;
/// About what list, table and reference count take per leaf: leaves of a few bytes must not go beyond the limit either.
constexpr std::size_t kOverhead = 256;
/// The C library keeps what is smaller itself.
constexpr std::size_t kSmallestBuffer = std::size_t{128} << 10;
constexpr std::size_t kMostOfBuffers = std::size_t{64} << 20;

}  // namespace

std::size_t DecodedLeaf::memory_size() const {
  return bytes.capacity() + variable.arena.capacity() + variable.elements.capacity() * sizeof(std::string_view);
}

std::size_t LeafCache::Hash::operator()(const LeafKey& key) const {
  // Odd constants spread neighbouring numbers over the word; the last shift brings the upper half down.
  std::uint64_t hash = key.array_id * 0x9e3779b97f4a7c15u;
  hash = (hash ^ key.chunk) * 0xc2b2ae3d27d4eb4fu;
  hash = (hash ^ (hash >> 32) ^ key.leaf) * 0x9e3779b97f4a7c15u;
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

LeafCache& LeafCache::Shared() {
  static LeafCache* const shared = [] {
    auto* const cache = new LeafCache(kDefaultLimit);
    HoldWhileForking(&cache->mutex_);
    return cache;
  }();
  return *shared;
}

void LeafCache::SetLimit(std::size_t limit_bytes) {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  limit_ = limit_bytes;
  DropExcess(&dropped);
}

std::size_t LeafCache::size() const {
  const std::lock_guard lock(mutex_);
  return size_ + buffers_size_;
}

std::shared_ptr<const DecodedLeaf> LeafCache::Find(const LeafKey& key) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return place->second->leaf;
}

void LeafCache::Insert(const LeafKey& key, std::shared_ptr<DecodedLeaf> leaf,
                       const std::atomic<std::uint64_t>* generation, std::uint64_t expected) {
  const std::size_t size = leaf->memory_size();
  Dropped dropped;
  Entries inserted;
  inserted.push_back({key, std::move(leaf), size + kOverhead});
  const std::lock_guard lock(mutex_);
  // With the mutex held: who counts later erases what is inserted here.
  if (generation && generation->load() != expected) return;
  Drop(key, &dropped);
  if (size > limit_ / 8) return;
  const auto place = places_.emplace(key, inserted.begin()).first;
  LeavesOfArray* of_array = nullptr;
  try {
    of_array = &arrays_[key.array_id];
  } catch (...) {
    places_.erase(place);
    throw;
  }
  // Nothing from here on can run out of memory: a leaf is in all three or in none.
  LeavesOfArray& leaves = *of_array;
  Entry& entry = inserted.front();
  entry.next = leaves.first;
  if (leaves.first) leaves.first->previous = &entry;
  leaves.first = &entry;
  ++leaves.count;
  entries_.splice(entries_.begin(), inserted);
  size_ += size + kOverhead;
  DropExcess(&dropped);
}

bool LeafCache::NoteMiss(const LeafKey& key) {
  const std::uint64_t hash = Hash()(key) | 1;  // not 0, which is a place that is not taken
  return missed_[(hash >> 1) % missed_.size()].exchange(hash, std::memory_order_relaxed) == hash;
}

void LeafCache::Erase(const LeafKey& key) {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  Drop(key, &dropped);
}

void LeafCache::EraseChunk(std::uint64_t array_id, std::uint64_t chunk, std::uint64_t leaves) {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  const auto array = arrays_.find(array_id);
  if (array == arrays_.end()) return;
  if (leaves <= array->second.count) {
    for (std::uint64_t leaf = 0; leaf < leaves; ++leaf) Drop({array_id, chunk, leaf}, &dropped);
    return;
  }
  for (Entry* entry = array->second.first; entry;) {
    Entry* const here = std::exchange(entry, entry->next);
    if (here->key.chunk == chunk) Drop(here->key, &dropped);
  }
}

void LeafCache::EraseArray(std::uint64_t array_id) {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  const auto array = arrays_.find(array_id);
  if (array == arrays_.end()) return;
  for (Entry* entry = array->second.first; entry;) {
    Entry* const here = std::exchange(entry, entry->next);
    Drop(here->key, &dropped);
  }
}

void LeafCache::Clear() {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  places_.clear();
  arrays_.clear();
  dropped.entries.swap(entries_);
  dropped.buffers.swap(buffers_);
  size_ = 0;
  buffers_size_ = 0;
}

void LeafCache::Drop(const LeafKey& key, Dropped* dropped) {
  if (const auto place = places_.find(key); place != places_.end()) Drop(place->second, dropped);
}

void LeafCache::Drop(Entries::iterator entry, Dropped* dropped) {
  size_ -= entry->charge;
  places_.erase(entry->key);
  const auto array = arrays_.find(entry->key.array_id);
  (entry->previous ? entry->previous->next : array->second.first) = entry->next;
  if (entry->next) entry->next->previous = entry->previous;
  if (--array->second.count == 0) arrays_.erase(array);
  // Nobody else can come by another reference to it any more.
  if (entry->leaf.use_count() == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);
    KeepBuffer(&entry->leaf->bytes, dropped);
  }
  dropped->entries.splice(dropped->entries.begin(), entries_, entry);
}

void LeafCache::KeepBuffer(Bytes* buffer, Dropped* dropped) {
  const std::size_t size = buffer->capacity();
  if (size < kSmallestBuffer || size > kMostOfBuffers) return;
  std::list<Bytes> kept;
  try {
    kept.emplace_back();
  } catch (const std::bad_alloc&) {
    return;  // it is freed with its leaf
  }
  kept.back() = std::move(*buffer);
  while (buffers_size_ + size > kMostOfBuffers) DropOldestBuffer(dropped);
  buffers_size_ += size;
  buffers_.splice(buffers_.end(), kept);
}

void LeafCache::DropOldestBuffer(Dropped* dropped) {
  buffers_size_ -= buffers_.front().capacity();
  dropped->buffers.splice(dropped->buffers.end(), buffers_, buffers_.begin());
}

Bytes LeafCache::TakeBuffer(std::size_t size) {
  if (size < kSmallestBuffer) return Bytes(size);
  {
    const std::lock_guard lock(mutex_);
    const auto fits =
        std::find_if(buffers_.rbegin(), buffers_.rend(), [&](const Bytes& bytes) { return bytes.capacity() == size; });
    if (fits != buffers_.rend()) {
      Bytes buffer = std::move(*fits);
      buffers_.erase(std::next(fits).base());
      buffers_size_ -= size;
      buffer.resize(size);
      return buffer;
    }
  }
  return Bytes(size, UninitializedAllocator<std::byte>(MemoryKind::kHuge));
}

void LeafCache::DropExcess(Dropped* dropped) {
  while (size_ + buffers_size_ > limit_) {
    if (buffers_.empty()) {
      Drop(std::prev(entries_.end()), dropped);
    } else {
      DropOldestBuffer(dropped);
    }
  }
}

}  // namespace zarr
