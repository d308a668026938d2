// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/base/shape.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

/// Iterates over the write units of a region: the parts that separate processes can write without touching each other's
/// data. There is one for each chunk (shard, in a sharded array) that intersects the region, in C order. Uses constant
/// memory. Refers to the grid, which must outlive it.
class WriteUnits {
 public:
  /// The region must lie inside the array.
  WriteUnits(const ChunkGrid& grid, const Box& region);
  /// Iterates only over the units of `chunks`: a box of the grid, each chunk of which intersects the region.
  WriteUnits(const ChunkGrid& grid, const Box& region, const Box& chunks);
  /// Returns the chunks that intersect the region, as a box of the grid (it counts chunks, not elements).
  static Box FindChunks(const ChunkGrid& grid, const Box& region);

  /// Moves to the first unit, and then to the next one. Returns false after the last one.
  bool Next();

  // The following functions describe the unit that `Next` has moved to.
  /// Returns the chunk's elements that are in the region.
  const Box& box() const { return box_; }
  /// Returns true if the chunk has elements outside the region, so that it must be read back when the unit is written.
  bool partial() const { return !(box_.shape == live_); }

 private:
  void PlaceAt(std::size_t axis, std::uint64_t chunk);

  const ChunkGrid* grid_;
  Box region_;
  Box chunks_;
  bool started_ = false;
  Shape index_;
  Box box_;
  Shape live_;  // of the chunk, inside the array
};

}  // namespace zarr
