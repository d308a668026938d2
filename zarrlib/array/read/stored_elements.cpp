// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/stored_elements.h"

#include <vector>

#include "zarrlib/array/read/stored_chunks.h"
#include "zarrlib/array/read/stored_value.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/grid/chunk_grid.h"
#include "zarrlib/grid/write_units.h"

namespace zarr {
namespace {

/// Returns the elements of a chunk that are in the box.
Box ClipChunk(const ChunkGrid& grid, const Shape& index, const Box& box) {
  Box chunk{index, index};
  for (std::size_t i = 0; i < index.size(); ++i) {
    chunk.origin[i] = grid.axis(i).At(index[i]).start;
    chunk.shape[i] = grid.axis(i).At(index[i]).live;
  }
  return Intersect(chunk, box);
}

std::uint64_t CountInShard(const Array& array, const std::string& key, const Box& wanted) {
  const ChunkOverlap overlap = ChunkRange(array.metadata().chunk_grid, Selection::FromBox(wanted)).At(0);
  const Box selected{overlap.first, overlap.count};
  const auto tasks = ReadUnchanged(array.store(), key, [&](const StoredValue& source) {
    std::vector<InnerChunkRead> planned;
    const auto shard = array.ResolveFor(overlap.encoded_shape)->Open(source);
    if (shard) shard->Plan(Selection::FromBox(selected), source, &planned);
    return planned;
  });
  std::uint64_t count = 0;
  for (const InnerChunkRead& task : tasks) {
    if (task.range) count += ComputeProduct(Intersect(task.box, selected).shape);
  }
  return count;
}

}  // namespace

std::uint64_t CountStoredElements(const Array& array, const Box& box) {
  const ChunkGrid& grid = array.metadata().chunk_grid;
  const bool is_sharded = array.inner_chunk_shape().has_value();
  std::uint64_t count = 0;
  ForEachExistingChunk(array, WriteUnits::FindChunks(grid, box), [&](const Shape& index) {
    const Box wanted = ClipChunk(grid, index, box);
    if (!is_sharded) {
      count += ComputeProduct(wanted.shape);
      return;
    }
    const std::string key = array.MakeChunkKey(index);
    try {
      count += CountInShard(array, key, wanted);
    } catch (const Error& error) {
      throw error.At(array.store().name(), key);
    }
  });
  return count;
}

}  // namespace zarr
