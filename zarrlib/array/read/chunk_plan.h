// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

/// Consecutive numbers of chunks.
struct NumberRun {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// The chunks of a read, divided into those that may be stored, and boxes of absent ones that are filled as a whole.
/// All numbers are those of the ChunkRange.
class ChunkPlan {
 public:
  /// `shape` is the number of chunks of the range along each axis. `stored` are those that may be stored, in ascending
  /// order. Boxes take up to about `most_in_box` chunks.
  ChunkPlan(const Shape& shape, std::vector<NumberRun> stored, std::uint64_t most_in_box);

  std::uint64_t box_count() const { return boxes_.size(); }
  /// Returns a box of absent chunks: positions in the range.
  Box GetBox(std::uint64_t number) const;
  /// Returns the elements of the selection that are in a box of chunks.
  Box GetElements(const ChunkRange& range, const Box& chunks) const;
  /// Returns the number of chunks that may be stored.
  std::uint64_t stored_count() const { return ends_.empty() ? 0 : ends_.back(); }
  /// Returns the number in the range of the chunk at an index among those that may be stored.
  std::uint64_t GetStored(std::uint64_t index) const;

 private:
  /// `slabs` slabs, each of one position of `axis` and all positions of the axes after it. A Box would take a kilobyte.
  struct AbsentBox {
    std::uint64_t first;
    std::uint64_t slabs;
    std::size_t axis;
  };
  void AddAbsent(std::uint64_t first, std::uint64_t end, std::uint64_t most_in_box);

  Shape shape_;
  Shape slab_;  // number of chunks at one position of each axis
  std::vector<NumberRun> stored_;
  std::vector<std::uint64_t> ends_;  // of each run of stored_, how many chunks it and the runs before it have
  std::vector<AbsentBox> boxes_;
};

/// Finds the absent chunks of a read of many by one list for each folder, so that they take no work one by one. Returns
/// nullopt if no chunk was found to be absent in this way: the store is remote or does not list folders, the read has
/// few chunks, or too large a part of them is stored for lists to save time.
std::optional<ChunkPlan> PlanChunks(const Array& array, const ChunkRange& range);

}  // namespace zarr
