#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "zarrlib/array/leaf_cache.h"
#include "zarrlib/codec/codec.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// A shard whose index has been read, and the state of the value that it was read from.
struct OpenShard {
  std::shared_ptr<const PartialDecoder> decoder;
  std::shared_ptr<const ValueState> state;
};

/// The shards opened last, for the process, bounded by the memory of their indices, nested ones included. Whoever reads
/// on from an entry compares stamps: an entry may be older than the value. Thread-safe.
class ShardCache {
 public:
  static ShardCache& Shared();

  std::shared_ptr<const OpenShard> Find(const LeafKey& key);
  /// Not if it is out of date: as LeafCache::Insert.
  void Insert(const LeafKey& key, std::shared_ptr<const OpenShard> shard, const std::atomic<std::uint64_t>& generation,
              std::uint64_t expected);
  /// Counts anew what an entry takes, which may have grown by nested indices: to be called after PartialDecoder::Plan.
  void Recount(const LeafKey& key);
  /// Bytes that the entries take, as counted.
  std::size_t size();
  void Erase(const LeafKey& key);
  /// Goes through the whole cache.
  void EraseArray(std::uint64_t array_id);

 private:
  struct Hash {
    std::size_t operator()(const LeafKey& key) const;
  };
  struct Entry {
    LeafKey key;
    std::shared_ptr<const OpenShard> shard;
    std::size_t size;  // as counted
  };
  void DropExcess();
  void Remove(std::list<Entry>::iterator entry);

  std::mutex mutex_;
  std::list<Entry> entries_;  // the one used last first
  std::unordered_map<LeafKey, std::list<Entry>::iterator, Hash> index_;
  std::size_t size_ = 0;
};

}  // namespace zarr
