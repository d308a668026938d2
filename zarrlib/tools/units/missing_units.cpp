// SPDX-License-Identifier: MIT
#include "zarrlib/tools/units/missing_units.h"

#include <algorithm>
#include <vector>

#include "zarrlib/array/read/stored_chunks.h"

namespace zarr::tools {
namespace {

/// How many chunks are looked up at once.
constexpr std::uint64_t kMostAtOnce = std::uint64_t{1} << 27;

/// Returns the shape of boxes that divide the chunks into pieces in C order.
Shape GetPieceShape(const Shape& chunks) {
  Shape piece = chunks;
  std::uint64_t left = kMostAtOnce;
  for (std::size_t i = piece.size(); i-- > 0;) {
    piece[i] = std::clamp<std::uint64_t>(chunks[i], 1, left);
    left /= piece[i];
  }
  return piece;
}

/// Returns for each chunk of a box, in C order, whether it is stored.
std::vector<bool> FindStored(const Array& array, const Box& chunks) {
  std::vector<bool> stored(static_cast<std::size_t>(ComputeProduct(chunks.shape)));
  ForEachExistingChunk(array, chunks, [&](const Shape& index) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < index.size(); ++i) {
      number =
          number * static_cast<std::size_t>(chunks.shape[i]) + static_cast<std::size_t>(index[i] - chunks.origin[i]);
    }
    stored[number] = true;
  });
  return stored;
}

}  // namespace

UnitCounts ForEachMissingUnit(const Array& array, const Box& region,
                              const std::function<void(const WriteUnits&)>& use) {
  const ChunkGrid& grid = array.metadata().chunk_grid;
  const Box chunks = WriteUnits::FindChunks(grid, region);
  UnitCounts counts;
  if (chunks.empty()) return counts;
  const ChunkGrid pieces = ChunkGrid::MakeRegular(chunks.shape, GetPieceShape(chunks.shape));
  for (WriteUnits piece(pieces, {Shape(chunks.rank(), 0), chunks.shape}); piece.Next();) {
    Box part = piece.box();
    for (std::size_t i = 0; i < part.rank(); ++i) part.origin[i] += chunks.origin[i];
    const std::vector<bool> stored = FindStored(array, part);
    WriteUnits unit(grid, region, part);
    for (std::size_t number = 0; unit.Next(); ++number) {
      ++counts.all;
      if (stored[number]) continue;
      ++counts.missing;
      use(unit);
    }
  }
  return counts;
}

}  // namespace zarr::tools
