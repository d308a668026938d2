// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "zarrlib/array/cache/value_state.h"
#include "zarrlib/codec/codec.h"

namespace zarr {

/// A decoded chunk or inner chunk, or a range of its bytes, in the layout of its decoder or in planes.
struct DecodedChunk {
  Bytes bytes;                            ///< The elements, if they have a fixed size.
  std::uint64_t begin = 0;                ///< The offset of `bytes` in the chunk.
  VariableChunk variable;                 ///< The variable-length elements, always of the whole chunk.
  std::optional<std::size_t> plane_axis;  ///< Set if the chunk is in planes (see band_planes.h); it is then complete.
  /// The state of the stored value from which the chunk was decoded.
  std::shared_ptr<const ValueState> state;
  bool Covers(const ByteRange& range) const {
    return range.offset >= begin && range.offset + range.length <= begin + bytes.size();
  }
  /// Returns the memory of the elements, in bytes.
  std::size_t memory_size() const;
};

/// Identifies a chunk or an inner chunk: the array's id, the chunk's number in the array's grid, and the inner chunk's
/// number in the chunk (0 if the chunk is not a shard).
struct ChunkId {
  std::uint64_t array_id = 0;
  std::uint64_t chunk = 0;
  std::uint64_t inner_chunk = 0;
  friend bool operator==(const ChunkId&, const ChunkId&) = default;
};

/// The decoded chunks (and inner chunks) of the process. When they exceed the limit, the least recently used ones are
/// dropped. Thread-safe; the process has one instance (`GetShared`).
///
/// The memory of dropped large chunks is reused for other chunks, within the limit. Otherwise callers that open store
/// after store, or read band after band, would spend as much time on getting memory from the system as on decoding.
///
/// One mutex is enough: finding a chunk takes 30 to 170 ns, decoding the smallest one takes thousands, and dropped
/// chunks are freed outside the lock. In return the limit and the order of use apply to the whole cache.
class ChunkCache {
 public:
  explicit ChunkCache(std::size_t limit_bytes) : limit_(limit_bytes) {}

  /// Returns the process-wide cache. Its limit is 512 MiB unless it is set. Never destroyed.
  static ChunkCache& GetShared();

  std::size_t limit() const { return limit_; }
  /// Sets the limit, and drops chunks until the rest fits.
  void SetLimit(std::size_t limit_bytes);
  /// Returns the memory of the cache, in bytes: chunks, lookup tables, and buffers for other chunks.
  std::size_t size() const;

  /// Returns the chunk, or null.
  std::shared_ptr<const DecodedChunk> Find(const ChunkId& key);
  /// Inserts a chunk, replacing one with the same key. Does not keep a chunk that is larger than an eighth of the
  /// limit, or outdated: writers increase `generation` before they erase, and `expected` is its value before the chunk
  /// was read. Throws std::bad_alloc; the cache is then unchanged, except that a chunk with that key is removed.
  void Insert(const ChunkId& key, std::shared_ptr<DecodedChunk> chunk,
              const std::atomic<std::uint64_t>* generation = nullptr, std::uint64_t expected = 0);
  /// Returns a buffer of indeterminate bytes for a chunk.
  Bytes TakeBuffer(std::uint64_t length);
  /// Records a cache miss for a chunk that was read. Returns true if one was recorded recently: the chunk is then worth
  /// caching. Does not lock.
  bool NoteMiss(const ChunkId& key);
  void Erase(const ChunkId& key);
  /// Drops the inner chunks from 0 to `inner_chunks` - 1 of a chunk.
  void EraseChunk(std::uint64_t array_id, std::uint64_t chunk, std::uint64_t inner_chunks);
  /// Drops all chunks of an array.
  void EraseArray(std::uint64_t array_id);
  void Clear();

 private:
  struct Entry {
    ChunkId key;
    std::shared_ptr<DecodedChunk> chunk;
    std::size_t charge;
    // Neighbours in the list of the array's chunks.
    Entry* previous = nullptr;
    Entry* next = nullptr;
  };
  using Entries = std::list<Entry>;
  struct ChunksOfArray {
    Entry* first = nullptr;
    std::size_t count = 0;
  };
  struct Hash {
    std::size_t operator()(const ChunkId& key) const;
  };

  /// Objects to free after the mutex is released.
  struct Dropped {
    Entries entries;
    std::list<Bytes> buffers;
  };

  // The mutex must be held. These functions do not throw: dropping outdated chunks does not need memory.
  void Drop(Entries::iterator entry, Dropped* dropped);
  void Drop(const ChunkId& key, Dropped* dropped);
  void DropExcess(Dropped* dropped);
  void KeepBuffer(Bytes* buffer, Dropped* dropped);
  void DropOldestBuffer(Dropped* dropped);

  mutable std::mutex mutex_;
  std::atomic<std::size_t> limit_;
  std::size_t size_ = 0;
  std::size_t buffers_size_ = 0;
  std::list<Bytes> buffers_;  // of dropped chunks, the latest last
  Entries entries_;           // the most recently used one first
  std::unordered_map<ChunkId, Entries::iterator, Hash> places_;
  std::unordered_map<std::uint64_t, ChunksOfArray> arrays_;  // arrays with chunks in the cache
  std::array<std::atomic<std::uint64_t>, 4096> missed_{};    // hashes of keys, indexed by their lower bits
};

}  // namespace zarr
