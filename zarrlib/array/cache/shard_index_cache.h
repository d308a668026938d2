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

/// A shard whose index has been read, and the state of the value that it was read from.
struct IndexedShard {
  std::shared_ptr<const ShardReader> decoder;
  std::shared_ptr<const ValueState> state;
};

/// The shards whose indices were read last, for the whole process. Bounded by the memory of the indices, nested ones
/// included. An entry may be older than the stored value: readers compare its stamp. Thread-safe.
class ShardIndexCache {
 public:
  static ShardIndexCache& GetShared();

  std::shared_ptr<const IndexedShard> Find(const ChunkId& key);
  /// Does not keep a shard that is out of date; see ChunkCache::Insert for `generation` and `expected`.
  void Insert(const ChunkId& key, std::shared_ptr<const IndexedShard> shard,
              const std::atomic<std::uint64_t>& generation, std::uint64_t expected);
  /// Counts the memory of an entry again, which nested indices may have increased. To be called after
  /// ShardReader::Plan.
  void Recount(const ChunkId& key);
  /// The memory of the entries, as counted, in bytes.
  std::size_t size();
  void Erase(const ChunkId& key);
  /// Takes time in proportion to the whole cache.
  void EraseArray(std::uint64_t array_id);

 private:
  struct Hash {
    std::size_t operator()(const ChunkId& key) const;
  };
  struct Entry {
    ChunkId key;
    std::shared_ptr<const IndexedShard> shard;
    std::size_t size;  // as counted
  };
  void DropExcess();
  void Remove(std::list<Entry>::iterator entry);

  std::mutex mutex_;
  std::list<Entry> entries_;  // the one used last comes first
  std::unordered_map<ChunkId, std::list<Entry>::iterator, Hash> index_;
  std::size_t size_ = 0;
};

}  // namespace zarr
