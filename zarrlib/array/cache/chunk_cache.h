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

/// A decoded inner chunk, laid out as its decoder says or in planes, or a part of one.
struct DecodedChunk {
  Bytes bytes;                            ///< Of types of fixed size.
  std::uint64_t begin = 0;                ///< Where `bytes` begin in the inner chunk.
  VariableChunk variable;                 ///< Of the others: always whole.
  std::optional<std::size_t> plane_axis;  ///< Of an inner chunk in planes (leaf_planes.h), which is always whole.
  /// That of the value that it was decoded from.
  std::shared_ptr<const ValueState> state;
  bool Covers(const ByteRange& range) const {
    return range.offset >= begin && range.offset + range.length <= begin + bytes.size();
  }
  /// Of the elements, in bytes.
  std::size_t memory_size() const;
};

/// Names an inner chunk: the array's id, the outer chunk's number in the array's grid, the inner chunk's number in the
/// chunk.
struct ChunkId {
  std::uint64_t array_id = 0;
  std::uint64_t chunk = 0;
  std::uint64_t inner_chunk = 0;
  friend bool operator==(const ChunkId&, const ChunkId&) = default;
};

/// Decoded inner chunks, the least recently used ones dropped when they take more than the limit. Thread-safe; one for
/// the process (`Shared`).
///
/// The memory of large inner chunks that were dropped is kept for others, within the limit: who opens store after
/// store, or band after band, else spends as much time on getting fresh memory from the system as on decoding.
///
/// One mutex for all: looking an inner chunk up takes 30 to 170 ns, decoding the smallest one thousands, and what is
/// dropped is freed outside of the lock. In return the limit and the order of use are those of the whole cache.
class ChunkCache {
 public:
  explicit ChunkCache(std::size_t limit_bytes) : limit_(limit_bytes) {}

  /// The cache of the process, of 512 MiB unless set otherwise. Never destroyed.
  static ChunkCache& Shared();

  std::size_t limit() const { return limit_; }
  /// Drops what does not fit any more.
  void SetLimit(std::size_t limit_bytes);
  /// Bytes that the inner chunks, what is needed to find them, and the memory that is kept for others take.
  std::size_t size() const;

  /// The inner chunk, or nullptr.
  std::shared_ptr<const DecodedChunk> Find(const ChunkId& key);
  /// Takes the place of an inner chunk of that key. An inner chunk larger than an eighth of the limit is not kept, nor
  /// one that is out of date: who replaces chunks counts in `generation`, and then erases; `expected` is what it was
  /// before the chunk was read. Throws std::bad_alloc, the cache then being as before but for an inner chunk of that
  /// key.
  void Insert(const ChunkId& key, std::shared_ptr<DecodedChunk> inner_chunk,
              const std::atomic<std::uint64_t>* generation = nullptr, std::uint64_t expected = 0);
  /// Indeterminate bytes for an inner chunk.
  Bytes TakeBuffer(std::size_t size);
  /// Notes that an inner chunk is read that is not here; true if that was noted before, not too long ago: then it is
  /// worth keeping. Takes no lock.
  bool NoteMiss(const ChunkId& key);
  void Erase(const ChunkId& key);
  /// Drops the inner chunks 0 to `inner chunks` - 1 of a chunk.
  void EraseChunk(std::uint64_t array_id, std::uint64_t chunk, std::uint64_t inner_chunks);
  /// Drops all inner chunks of an array.
  void EraseArray(std::uint64_t array_id);
  void Clear();

 private:
  struct Entry {
    ChunkId key;
    std::shared_ptr<DecodedChunk> inner_chunk;
    std::size_t charge;
    // The neighbours among the array's inner chunks.
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

  /// To be freed without the mutex.
  struct Dropped {
    Entries entries;
    std::list<Bytes> buffers;
  };

  // With the mutex held. None of them throws: what is out of date can be dropped without memory.
  void Drop(Entries::iterator entry, Dropped* dropped);
  void Drop(const ChunkId& key, Dropped* dropped);
  void DropExcess(Dropped* dropped);
  void KeepBuffer(Bytes* buffer, Dropped* dropped);
  void DropOldestBuffer(Dropped* dropped);

  mutable std::mutex mutex_;
  std::atomic<std::size_t> limit_;
  std::size_t size_ = 0;
  std::size_t buffers_size_ = 0;
  std::list<Bytes> buffers_;  // of inner chunks that were dropped, the latest last
  Entries entries_;           // the latest used first
  std::unordered_map<ChunkId, Entries::iterator, Hash> places_;
  std::unordered_map<std::uint64_t, ChunksOfArray> arrays_;  // those that have inner chunks here
  std::array<std::atomic<std::uint64_t>, 4096> missed_{};    // hashes, each in the place that its lower bits name
};

}  // namespace zarr
