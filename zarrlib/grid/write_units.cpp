// SPDX-License-Identifier: MIT
#include "zarrlib/grid/write_units.h"

#include <algorithm>

namespace zarr {

WriteUnits::WriteUnits(const ChunkGrid& grid, const Box& region) : WriteUnits(grid, region, FindChunks(grid, region)) {}

WriteUnits::WriteUnits(const ChunkGrid& grid, const Box& region, const Box& chunks)
    : grid_(&grid),
      region_(region),
      chunks_(chunks),
      index_(grid.rank()),
      box_{Shape(grid.rank()), Shape(grid.rank())},
      live_(grid.rank()) {}

Box WriteUnits::FindChunks(const ChunkGrid& grid, const Box& region) {
  Box chunks{Shape(grid.rank()), Shape(grid.rank())};
  for (std::size_t i = 0; i < grid.rank(); ++i) {
    if (region.shape[i] == 0) continue;
    chunks.origin[i] = grid.axis(i).Locate(region.origin[i]).index;
    chunks.shape[i] = grid.axis(i).Locate(region.end(i) - 1).index - chunks.origin[i] + 1;
  }
  return chunks;
}

bool WriteUnits::Next() {
  if (!started_) {
    started_ = true;
    if (chunks_.empty()) return false;
    for (std::size_t i = 0; i < chunks_.rank(); ++i) PlaceAt(i, chunks_.origin[i]);
    return true;
  }
  for (std::size_t i = chunks_.rank(); i-- > 0;) {
    if (index_[i] + 1 < chunks_.end(i)) {
      PlaceAt(i, index_[i] + 1);
      return true;
    }
    if (index_[i] != chunks_.origin[i]) PlaceAt(i, chunks_.origin[i]);
  }
  return false;
}

void WriteUnits::PlaceAt(std::size_t axis, std::uint64_t chunk) {
  const ChunkSpan span = grid_->axis(axis).At(chunk);
  index_[axis] = chunk;
  live_[axis] = span.live;
  box_.origin[axis] = std::max(span.start, region_.origin[axis]);
  box_.shape[axis] = std::min(span.start + span.live, region_.end(axis)) - box_.origin[axis];
}

}  // namespace zarr
