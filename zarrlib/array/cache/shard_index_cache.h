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

/// The shards opened last, for the process, bounded by the memory of their indices, nested ones included. Whoever reads
/// on from an entry compares stamps: an entry may be older than the value. Thread-safe.
class ShardIndexCache {
 public:
  static ShardIndexCache& Shared();

  std::shared_ptr<const IndexedShard> Find(const ChunkId& key);
  /// Not if it is out of date: as ChunkCache::Insert.
  void Insert(const ChunkId& key, std::shared_ptr<const IndexedShard> shard,
              const std::atomic<std::uint64_t>& generation, std::uint64_t expected);
  /// Counts anew what an entry takes, which may have grown by nested indices: to be called after ShardReader::Plan.
  void Recount(const ChunkId& key);
  /// Bytes that the entries take, as counted.
  std::size_t size();
  void Erase(const ChunkId& key);
  /// Goes through the whole cache.
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
  std::list<Entry> entries_;  // the one used last first
  std::unordered_map<ChunkId, std::list<Entry>::iterator, Hash> index_;
  std::size_t size_ = 0;
};

}  // namespace zarr
