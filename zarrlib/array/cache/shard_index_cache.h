// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/codec/codec.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// A shard whose index has been read, and the state of its value at that time.
struct IndexedShard {
  std::shared_ptr<const ShardReader> decoder;
  std::shared_ptr<const ValueState> state;
};

/// The most recently read shards with their indices, for the whole process. Bounded by the memory of the indices,
/// including nested ones. An entry may be older than the stored value: readers compare its stamp. Thread-safe.
class ShardIndexCache {
 public:
  static ShardIndexCache& GetShared();

  std::shared_ptr<const IndexedShard> Find(const ChunkId& key);
  /// Does not keep an outdated shard; see ChunkCache::Insert for `generation` and `expected`.
  void Insert(const ChunkId& key, std::shared_ptr<const IndexedShard> shard,
              const std::atomic<std::uint64_t>& generation, std::uint64_t expected);
  /// Updates the size of an entry, which nested indices may have increased. Call this after ShardReader::Plan.
  void Recount(const ChunkId& key);
  /// Returns the recorded memory of the entries, in bytes.
  std::size_t size();
  void Erase(const ChunkId& key);
  /// Takes time proportional to the size of the whole cache.
  void EraseArray(std::uint64_t array_id);

 private:
  struct Hash {
    std::size_t operator()(const ChunkId& key) const;
  };
  struct Entry {
    ChunkId key;
    std::shared_ptr<const IndexedShard> shard;
    std::size_t size;  // as recorded
  };
  void DropExcess();
  void Remove(std::list<Entry>::iterator entry);

  std::mutex mutex_;
  std::list<Entry> entries_;  // the most recently used one first
  std::unordered_map<ChunkId, std::list<Entry>::iterator, Hash> index_;
  std::size_t size_ = 0;
};

}  // namespace zarr
