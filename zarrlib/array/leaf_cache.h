#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "zarrlib/codec/codec.h"

namespace zarr {

/// A decoded leaf, laid out as its decoder says.
struct DecodedLeaf {
  Bytes bytes;             ///< Of types of fixed size.
  VariableChunk variable;  ///< Of the others.
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
class LeafCache {
 public:
  explicit LeafCache(std::size_t limit_bytes);
  ~LeafCache();

  static LeafCache& Shared();

  std::size_t limit() const;
  /// Drops what does not fit any more.
  void SetLimit(std::size_t limit_bytes);
  std::size_t size() const;

  /// The leaf, or nullptr.
  std::shared_ptr<const DecodedLeaf> Find(const LeafKey& key);
  /// A leaf larger than an eighth of the limit is not kept.
  void Insert(const LeafKey& key, std::shared_ptr<const DecodedLeaf> leaf);
  void Erase(const LeafKey& key);
  /// Drops all leaves of an array.
  void EraseArray(std::uint64_t array_id);
  void Clear();

 private:
  struct Shard;
  std::unique_ptr<Shard[]> shards_;
};

}  // namespace zarr
