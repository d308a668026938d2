// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/store/icechunk/known_files.h"
#include "zarrlib/store/icechunk/object_id.h"

namespace zarr {

/// The coordinates of a chunk in the chunk grid of its array.
using ChunkCoordinates = std::span<const std::uint32_t>;

/// A reference to the bytes of a chunk (`ChunkRef` in the specification).
struct ChunkRef {
  enum class Kind : std::uint8_t {
    kInline,   ///< `bytes` are the chunk.
    kNative,   ///< A range of the repository's own file `file`.
    kVirtual,  ///< A range of the file at `location`.
  };
  Kind kind = Kind::kInline;
  ByteSpan bytes;
  ObjectId file{};
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::string location;
  std::string etag;                 ///< The entity tag that the file must have; "" if none is known.
  std::uint32_t last_modified = 0;  ///< When the file was modified at the latest, in seconds since 1970; 0 if unknown.
};

/// The references of one array in one manifest, in order of their coordinates, in few bytes: a native one takes about
/// 16. Coordinates and locations are stored as differences from the previous reference, within blocks of 32 references
/// of which the first is complete, so that a chunk is found by a binary search for its block. Files with many virtual
/// chunks have numbers. Immutable after it was filled; then safe for any number of threads.
class ChunkTable {
 public:
  explicit ChunkTable(std::size_t rank) : rank_(rank), last_(rank) {}

  /// Appends a reference. Throws Error(corrupt) unless its coordinates follow those of the last one, and
  /// Error(limit_exceeded) if the table would become larger than `max_size` bytes.
  void Add(ChunkCoordinates coordinates, const ChunkRef& ref, std::uint64_t max_size);
  /// Frees what only `Add` needs.
  void Finish();

  std::size_t rank() const { return rank_; }
  std::uint64_t size() const { return size_; }
  /// Bytes of memory.
  std::uint64_t memory() const { return data_size_ + files_.memory() + blocks_.size() * sizeof(blocks_[0]); }

  /// Returns the reference of a chunk, or nullopt if there is none. Its bytes are valid as long as the table.
  std::optional<ChunkRef> Find(ChunkCoordinates coordinates) const;
  /// Returns the coordinates of the first chunk that is not before the given one, or nullopt if all are.
  std::optional<std::vector<std::uint32_t>> FindNext(ChunkCoordinates coordinates) const;
  /// Visits all references in order.
  void ForEach(const std::function<void(ChunkCoordinates coordinates, const ChunkRef& ref)>& visit) const;

 private:
  class Reader;

  void AddCoordinates(ChunkCoordinates coordinates, std::uint8_t* step);
  void BeginBlock();
  /// Appends a reference whose coordinates are `last_`.
  void AddRef(const ChunkRef& ref, std::uint8_t step, Bytes* data);
  unsigned GetFileFlags(const ChunkRef& ref) const;
  void AddFile(const ChunkRef& ref, unsigned flags, Bytes* data);
  std::optional<std::uint32_t> FindFile(const ChunkRef& ref);
  const std::byte* GetBlock(std::uint64_t block) const;
  /// Returns a reader before the first reference of the last block that does not begin after the coordinates.
  Reader SeekBlock(ChunkCoordinates coordinates) const;

  std::size_t rank_;
  std::uint64_t size_ = 0;
  std::uint64_t data_size_ = 0;        // of all pieces
  std::vector<Bytes> pieces_;          // of about 1 MiB, so that a table that grows is not copied as a whole
  std::vector<std::uint32_t> blocks_;  // where each block begins: the piece, and 20 bits for the position in it
  KnownFiles files_;
  // Of the last reference that was added, or of the last one of its block that is of the same kind.
  std::vector<std::uint32_t> last_;
  std::optional<std::uint32_t> last_file_;
  std::string last_location_;
  std::string last_etag_;
};

}  // namespace zarr
