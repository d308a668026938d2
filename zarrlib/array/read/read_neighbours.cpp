// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "zarrlib/array/read/neighbouring_chunks.h"
#include "zarrlib/array/read/read_operation.h"

namespace zarr {
namespace {

/// How many chunks are located at once. Limits the memory of groups that were read and are not decoded yet.
constexpr std::uint64_t kChunksAtOnce = 1024;
/// Larger chunks are requested by themselves: that takes little longer than a part of a common request, and several
/// connections share the work.
constexpr std::uint64_t kSmallChunk = 128 << 10;
/// The same for a chunk of which only few elements are needed.
constexpr std::uint64_t kSmallForPart = 16 << 10;

}  // namespace

/// The chunks of a window from the number `begin` that are located at once.
struct ChunkBatch {
  struct State {
    bool is_done = false;            ///< The cache had it.
    std::optional<ByteRange> range;  ///< See ChunkLoader::GetRangeToRead.
  };
  std::uint64_t begin;
  std::vector<State> states;
  NeighbouringChunks chunks;
};

bool ReadOperation::ReadNeighbours(const StoreRequests& requests) const {
  for (std::uint64_t begin = 0; begin < range_.count();) {
    const std::uint64_t count = std::min(kChunksAtOnce, range_.count() - begin);
    ChunkBatch batch{begin, std::vector<ChunkBatch::State>(count), NeighbouringChunks(requests, count)};
    const double from = static_cast<double>(begin) / static_cast<double>(range_.count());
    const double to = static_cast<double>(begin + count) / static_cast<double>(range_.count());
    // Locating chunks may take requests, for manifests.
    const auto locate = [&](std::uint64_t i) { LocateChunk(i, &batch); };
    if (!ParallelFor(count, MakeOptionsForShare(from, from), locate)) return false;
    batch.chunks.Group();
    // The groups come first, so that all are under way before a thread waits for one.
    const std::uint64_t groups = batch.chunks.group_count();
    const auto read = [&](std::uint64_t i) {
      i < groups ? batch.chunks.ReadGroup(i) : ReadLocated(i - groups, &batch);
    };
    if (!ParallelFor(groups + count, MakeOptionsForShare(from, to), read)) return false;
    begin += count;
  }
  return true;
}

void ReadOperation::LocateChunk(std::uint64_t number, ChunkBatch* batch) const {
  const ChunkOverlap overlap = range_.At(batch->begin + number);
  std::string key = array_.MakeChunkKey(overlap.grid_index);
  ChunkBatch::State& state = batch->states[number];
  RunAtChunk(array_.store(), key, overlap.grid_index, [&] {
    const auto pipeline = GetPipeline(overlap);
    const ChunkRegion region = MakeRegion(overlap);
    const ChunkId id = io_.GetChunkId(overlap.grid_index);
    state.is_done = io_.CopyFromCache(id, key, *pipeline, region);
    if (state.is_done) return;
    state.range = io_.GetRangeToRead(id, *pipeline, region);
    const std::uint64_t longest = std::min(GetLongestStored(*pipeline), options_.max_chunk_bytes);
    batch->chunks.Locate(number, key, std::min(longest, state.range ? kSmallForPart : kSmallChunk));
  });
}

void ReadOperation::ReadLocated(std::uint64_t number, ChunkBatch* batch) const {
  const ChunkBatch::State& state = batch->states[number];
  if (state.is_done) return;
  const ChunkOverlap overlap = range_.At(batch->begin + number);
  const std::string key = array_.MakeChunkKey(overlap.grid_index);
  RunAtChunk(array_.store(), key, overlap.grid_index, [&] {
    auto value = batch->chunks.Take(number);
    ReadFromStore(key, io_.GetChunkId(overlap.grid_index), state.range, *GetPipeline(overlap), MakeRegion(overlap),
                  value ? &*value : nullptr);
  });
}

void ReadOperation::DecodeNeighbour(const ChunkId& id, NeighbouringChunks::Value value,
                                    const ResolvedPipeline& pipeline, const ChunkRegion& region,
                                    VersionStamp* stamp) const {
  const MemoryShare share = io_.ReserveMemory(pipeline);
  *stamp = std::move(value.stamp);
  io_.CheckSize(pipeline, value.bytes.size());
  io_.DecodeStored(id, io_.GetState(*stamp), value.bytes, pipeline, region);
}

}  // namespace zarr
