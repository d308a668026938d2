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

#include "zarrlib/array/value_state.h"
#include "zarrlib/codec/codec.h"

namespace zarr {

/// A decoded leaf, laid out as its decoder says or in planes, or a part of one.
struct DecodedLeaf {
  Bytes bytes;                            ///< Of types of fixed size.
  std::uint64_t begin = 0;                ///< Where `bytes` begin in the leaf.
  VariableChunk variable;                 ///< Of the others: always whole.
  std::optional<std::size_t> plane_axis;  ///< Of a leaf in planes (leaf_planes.h), which is always whole.
  /// That of the value that it was decoded from.
  std::shared_ptr<const ValueState> state;
  bool Covers(const ByteRange& range) const {
    return range.offset >= begin && range.offset + range.length <= begin + bytes.size();
  }
  /// Of the elements, in bytes.
  std::size_t memory_size() const;
};

/// Names a leaf: the array's id, the outer chunk's number in the array's grid, the leaf's number in the chunk.
struct LeafKey {
  std::uint64_t array_id = 0;
  std::uint64_t chunk = 0;
  std::uint64_t leaf = 0;
  friend bool operator==(const LeafKey&, const LeafKey&) = default;
};

/// Decoded leaves, the least recently used ones dropped when they take more than the limit. Thread-safe; one for the
/// process (`Shared`).
///
/// The memory of large leaves that were dropped is kept for others, within the limit: who opens store after store, or
/// band after band, else spends as much time on getting fresh memory from the system as on decoding.
///
/// One mutex for all: looking a leaf up takes 30 to 170 ns, decoding the smallest one thousands, and what is dropped is
/// freed outside of the lock. In return the limit and the order of use are those of the whole cache.
class LeafCache {
 public:
  explicit LeafCache(std::size_t limit_bytes) : limit_(limit_bytes) {}

  /// The cache of the process, of 512 MiB unless set otherwise. Never destroyed.
  static LeafCache& Shared();

  std::size_t limit() const { return limit_; }
  /// Drops what does not fit any more.
  void SetLimit(std::size_t limit_bytes);
  /// Bytes that the leaves, what is needed to find them, and the memory that is kept for others take.
  std::size_t size() const;

  /// The leaf, or nullptr.
  std::shared_ptr<const DecodedLeaf> Find(const LeafKey& key);
  /// Takes the place of a leaf of that key. A leaf larger than an eighth of the limit is not kept, nor one that is out
  /// of date: who replaces chunks counts in `generation`, and then erases; `expected` is what it was before the chunk
  /// was read. Throws std::bad_alloc, the cache then being as before but for a leaf of that key.
  void Insert(const LeafKey& key, std::shared_ptr<DecodedLeaf> leaf,
              const std::atomic<std::uint64_t>* generation = nullptr, std::uint64_t expected = 0);
  /// Indeterminate bytes for a leaf.
  Bytes TakeBuffer(std::size_t size);
  /// Notes that a leaf is read that is not here; true if that was noted before, not too long ago: then it is worth
  /// keeping. Takes no lock.
  bool NoteMiss(const LeafKey& key);
  void Erase(const LeafKey& key);
  /// Drops the leaves 0 to `leaves` - 1 of a chunk.
  void EraseChunk(std::uint64_t array_id, std::uint64_t chunk, std::uint64_t leaves);
  /// Drops all leaves of an array.
  void EraseArray(std::uint64_t array_id);
  void Clear();

 private:
  struct Entry {
    LeafKey key;
    std::shared_ptr<DecodedLeaf> leaf;
    std::size_t charge;
    // The neighbours among the array's leaves.
    Entry* previous = nullptr;
    Entry* next = nullptr;
  };
  using Entries = std::list<Entry>;
  struct LeavesOfArray {
    Entry* first = nullptr;
    std::size_t count = 0;
  };
  struct Hash {
    std::size_t operator()(const LeafKey& key) const;
  };

  /// To be freed without the mutex.
  struct Dropped {
    Entries entries;
    std::list<Bytes> buffers;
  };

  // With the mutex held. None of them throws: what is out of date can be dropped without memory.
  void Drop(Entries::iterator entry, Dropped* dropped);
  void Drop(const LeafKey& key, Dropped* dropped);
  void DropExcess(Dropped* dropped);
  void KeepBuffer(Bytes* buffer, Dropped* dropped);
  void DropOldestBuffer(Dropped* dropped);

  mutable std::mutex mutex_;
  std::atomic<std::size_t> limit_;
  std::size_t size_ = 0;
  std::size_t buffers_size_ = 0;
  std::list<Bytes> buffers_;  // of leaves that were dropped, the latest last
  Entries entries_;           // the latest used first
  std::unordered_map<LeafKey, Entries::iterator, Hash> places_;
  std::unordered_map<std::uint64_t, LeavesOfArray> arrays_;  // those that have leaves here
  std::array<std::atomic<std::uint64_t>, 4096> missed_{};    // hashes, each in the place that its lower bits name
};

}  // namespace zarr
