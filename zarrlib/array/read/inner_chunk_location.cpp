// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/inner_chunk_location.h"

#include <vector>

#include "zarrlib/array/read/stored_value.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {
namespace {

Shape GetGridShape(const Array& array, const std::optional<Shape>& inner) {
  Shape shape = array.metadata().chunk_grid.grid_shape();
  if (!inner) return shape;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::uint64_t length = array.shape()[i];
    shape[i] = length == 0 ? 0 : (length - 1) / (*inner)[i] + 1;
  }
  return shape;
}

void CheckIndex(const Array& array, const Shape& grid, const Shape& index) {
  const auto fail = [&](const std::string& expected) {
    throw Error(ErrorKind::kInvalidArgument, array.store().name(), array.path(), "",
                FormatExpectedGot(expected, "block " + ToString(index)));
  };
  if (index.size() != grid.size()) fail(std::to_string(grid.size()) + " indices");
  for (std::size_t i = 0; i < index.size(); ++i) {
    if (index[i] >= grid[i]) fail("a block of a grid of " + ToString(grid));
  }
}

/// Returns the first element of an inner chunk. The edges of inner chunks divide the edges of shards.
Shape GetOrigin(const Array& array, const std::optional<Shape>& inner, const Shape& index) {
  Shape origin = index;
  for (std::size_t i = 0; i < index.size(); ++i) {
    origin[i] = inner ? index[i] * (*inner)[i] : array.metadata().chunk_grid.axis(i).At(index[i]).start;
  }
  return origin;
}

std::optional<ByteRange> FindWholeValue(const Store& store, const std::string& key) {
  VersionStamp stamp;
  if (!store.GetStamp(key, &stamp)) return std::nullopt;
  return ByteRange{0, stamp.size};
}

std::optional<ByteRange> FindInShard(const Array& array, const std::string& key, const ChunkOverlap& overlap) {
  return ReadUnchanged(array.store(), key, [&](const StoredValue& source) -> std::optional<ByteRange> {
    const auto shard = array.ResolveFor(overlap.encoded_shape)->Open(source);
    if (!shard) return std::nullopt;
    std::vector<InnerChunkRead> tasks;
    shard->Plan(Selection::FromBox({overlap.first, overlap.count}), source, &tasks);
    if (tasks.at(0).source) {
      throw Error(ErrorKind::kUnsupported,
                  "codecs encode whole shards, so that an inner chunk is no range of the stored value");
    }
    return tasks[0].range;
  });
}

}  // namespace

Shape GetInnerChunkGridShape(const Array& array) {
  return GetGridShape(array, array.inner_chunk_shape());
}

std::optional<InnerChunkLocation> LocateInnerChunk(const Array& array, const Shape& inner_index) {
  const std::optional<Shape> inner = array.inner_chunk_shape();
  CheckIndex(array, GetGridShape(array, inner), inner_index);
  const Selection element = Selection::FromBox({GetOrigin(array, inner, inner_index), Shape(array.rank(), 1)});
  const ChunkOverlap overlap = ChunkRange(array.metadata().chunk_grid, element).At(0);
  std::string key = array.MakeChunkKey(overlap.grid_index);
  try {
    const auto range = inner ? FindInShard(array, key, overlap) : FindWholeValue(array.store(), key);
    if (!range) return std::nullopt;
    return InnerChunkLocation{std::move(key), *range};
  } catch (const Error& error) {
    throw error.At(array.store().name(), key);
  }
}

}  // namespace zarr
