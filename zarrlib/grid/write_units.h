// SPDX-License-Identifier: MIT
#pragma once

#include "zarrlib/base/shape.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

/// Walks through the units of a region: what processes can write without touching what others write. There is one for
/// each chunk (shard, in a sharded array) that meets the region, in C order. Takes no memory for them, however many
/// there are. Refers to the grid, which must outlive it.
class WriteUnits {
 public:
  /// The region must lie inside the array.
  WriteUnits(const ChunkGrid& grid, const Box& region);
  /// The units of those chunks alone: a box of the grid, each chunk of which meets the region.
  WriteUnits(const ChunkGrid& grid, const Box& region, const Box& chunks);
  /// The chunks that meet the region: a box of the grid (it counts chunks, not elements).
  static Box FindChunks(const ChunkGrid& grid, const Box& region);

  /// Moves to the first unit, and then to the next one. Returns false after the last one.
  bool Next();

  // The unit that `Next` has moved to:
  /// The elements of the chunk that are in the region.
  const Box& box() const { return box_; }
  /// Whether the chunk has elements outside of the region, so that it must be read back when the unit is written.
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
