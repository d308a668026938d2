// SPDX-License-Identifier: MIT
#include "zarrlib/array/cache/chunk_cache.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string_view>
#include <utility>

#include "zarrlib/base/fork_safety.h"
#include "zarrlib/base/limits.h"

namespace zarr {
namespace {

constexpr std::size_t kDefaultLimit = std::size_t{512} << 20;
/// The approximate memory per chunk of the list, the table and the reference count. It is included so that chunks of a
/// few bytes also respect the limit.
constexpr std::size_t kOverhead = 256;
/// The C library caches smaller buffers itself.
constexpr std::size_t kSmallestBuffer = std::size_t{128} << 10;
constexpr std::size_t kMostOfBuffers = std::size_t{64} << 20;

}  // namespace

std::size_t DecodedChunk::memory_size() const {
  return bytes.capacity() + variable.arena.capacity() + variable.elements.capacity() * sizeof(std::string_view);
}

std::size_t ChunkCache::Hash::operator()(const ChunkId& key) const {
  // Odd constants spread neighbouring numbers over the word; the last shift mixes in the upper half.
  std::uint64_t hash = key.array_id * 0x9e3779b97f4a7c15u;
  hash = (hash ^ key.chunk) * 0xc2b2ae3d27d4eb4fu;
  hash = (hash ^ (hash >> 32) ^ key.inner_chunk) * 0x9e3779b97f4a7c15u;
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

ChunkCache& ChunkCache::GetShared() {
  static ChunkCache* const shared = [] {
    auto* const cache = new ChunkCache(kDefaultLimit);
    HoldWhileForking(&cache->mutex_);
    return cache;
  }();
  return *shared;
}

void ChunkCache::SetLimit(std::size_t limit_bytes) {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  limit_ = limit_bytes;
  DropExcess(&dropped);
}

std::size_t ChunkCache::size() const {
  const std::lock_guard lock(mutex_);
  return size_ + buffers_size_;
}

std::shared_ptr<const DecodedChunk> ChunkCache::Find(const ChunkId& key) {
  const std::lock_guard lock(mutex_);
  const auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return place->second->chunk;
}

void ChunkCache::Insert(const ChunkId& key, std::shared_ptr<DecodedChunk> chunk,
                        const std::atomic<std::uint64_t>* generation, std::uint64_t expected) {
  const std::size_t size = chunk->memory_size();
  Dropped dropped;
  Entries inserted;
  inserted.push_back({key, std::move(chunk), size + kOverhead});
  const std::lock_guard lock(mutex_);
  // Holding the mutex here prevents a lost invalidation: a writer that increases `generation` later also erases the
  // chunk that is inserted here.
  if (generation && generation->load() != expected) return;
  Drop(key, &dropped);
  if (size > limit_ / 8) return;
  const auto place = places_.emplace(key, inserted.begin()).first;
  ChunksOfArray* of_array = nullptr;
  try {
    of_array = &arrays_[key.array_id];
  } catch (...) {
    places_.erase(place);
    throw;
  }
  // Nothing below allocates: the chunk is in all three containers or in none.
  ChunksOfArray& chunks = *of_array;
  Entry& entry = inserted.front();
  entry.next = chunks.first;
  if (chunks.first) chunks.first->previous = &entry;
  chunks.first = &entry;
  ++chunks.count;
  entries_.splice(entries_.begin(), inserted);
  size_ += size + kOverhead;
  DropExcess(&dropped);
}

bool ChunkCache::NoteMiss(const ChunkId& key) {
  const std::uint64_t hash = Hash()(key) | 1;  // not 0, which marks a free slot
  return missed_[(hash >> 1) % missed_.size()].exchange(hash, std::memory_order_relaxed) == hash;
}

void ChunkCache::Erase(const ChunkId& key) {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  Drop(key, &dropped);
}

void ChunkCache::EraseChunk(std::uint64_t array_id, std::uint64_t chunk, std::uint64_t inner_chunks) {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  const auto array = arrays_.find(array_id);
  if (array == arrays_.end()) return;
  if (inner_chunks <= array->second.count) {
    for (std::uint64_t inner_chunk = 0; inner_chunk < inner_chunks; ++inner_chunk)
      Drop({array_id, chunk, inner_chunk}, &dropped);
    return;
  }
  for (Entry* entry = array->second.first; entry;) {
    Entry* const here = std::exchange(entry, entry->next);
    if (here->key.chunk == chunk) Drop(here->key, &dropped);
  }
}

void ChunkCache::EraseArray(std::uint64_t array_id) {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  const auto array = arrays_.find(array_id);
  if (array == arrays_.end()) return;
  for (Entry* entry = array->second.first; entry;) {
    Entry* const here = std::exchange(entry, entry->next);
    Drop(here->key, &dropped);
  }
}

void ChunkCache::Clear() {
  Dropped dropped;
  const std::lock_guard lock(mutex_);
  places_.clear();
  arrays_.clear();
  dropped.entries.swap(entries_);
  dropped.buffers.swap(buffers_);
  size_ = 0;
  buffers_size_ = 0;
}

void ChunkCache::Drop(const ChunkId& key, Dropped* dropped) {
  if (const auto place = places_.find(key); place != places_.end()) Drop(place->second, dropped);
}

void ChunkCache::Drop(Entries::iterator entry, Dropped* dropped) {
  size_ -= entry->charge;
  places_.erase(entry->key);
  const auto array = arrays_.find(entry->key.array_id);
  (entry->previous ? entry->previous->next : array->second.first) = entry->next;
  if (entry->next) entry->next->previous = entry->previous;
  if (--array->second.count == 0) arrays_.erase(array);
  // Other threads can no longer get a reference to the chunk.
  if (entry->chunk.use_count() == 1) {
    // They may have read it until now. Releasing a second reference waits for that, like a fence; ThreadSanitizer does
    // not support fences.
    std::shared_ptr(entry->chunk).reset();
    KeepBuffer(&entry->chunk->bytes, dropped);
  }
  dropped->entries.splice(dropped->entries.begin(), entries_, entry);
}

void ChunkCache::KeepBuffer(Bytes* buffer, Dropped* dropped) {
  const std::size_t size = buffer->capacity();
  if (size < kSmallestBuffer || size > kMostOfBuffers) return;
  std::list<Bytes> kept;
  try {
    kept.emplace_back();
  } catch (const std::bad_alloc&) {
    return;  // the chunk's destructor frees it
  }
  kept.back() = std::move(*buffer);
  while (buffers_size_ + size > kMostOfBuffers) DropOldestBuffer(dropped);
  buffers_size_ += size;
  buffers_.splice(buffers_.end(), kept);
}

void ChunkCache::DropOldestBuffer(Dropped* dropped) {
  buffers_size_ -= buffers_.front().capacity();
  dropped->buffers.splice(dropped->buffers.end(), buffers_, buffers_.begin());
}

Bytes ChunkCache::TakeBuffer(std::uint64_t length) {
  const std::size_t size = ToMemorySize(length);
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

void ChunkCache::DropExcess(Dropped* dropped) {
  while (size_ + buffers_size_ > limit_) {
    if (buffers_.empty()) {
      Drop(std::prev(entries_.end()), dropped);
    } else {
      DropOldestBuffer(dropped);
    }
  }
}

}  // namespace zarr
