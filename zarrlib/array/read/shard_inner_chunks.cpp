// SPDX-License-Identifier: MIT
#include "zarrlib/array/read/shard_inner_chunks.h"

#include <algorithm>

#include "zarrlib/array/read/merging.h"
#include "zarrlib/array/read/stored_value.h"

namespace zarr {
namespace {

Merging ChooseMerging(const Store& store) {
  return store.info().is_on_network() ? kMergingOnNetwork : Merging{4 << 10, 128 << 10};
}

std::uint64_t GetEnd(const ByteRange& range) {
  return range.offset + range.length;
}

bool IsKept(const InnerChunkRead& task, const KeptPart* kept) {
  return kept && !task.source && kept->Contains(*task.range);
}

bool AreTogether(const InnerChunkRead& first, const InnerChunkRead& previous, const InnerChunkRead& next,
                 const Merging& merging, const KeptPart* kept) {
  if (!first.range || !next.range || first.source != next.source) return false;
  if (IsKept(first, kept) != IsKept(next, kept)) return false;
  if (next.range->offset > GetEnd(*previous.range) + merging.largest_gap) return false;
  return GetEnd(*next.range) - first.range->offset <= merging.largest_request;
}

/// Returns the selected region of an inner chunk, which is at `box` in the chunk.
ChunkRegion MakeRegion(const InnerChunkRead& task, const ChunkRegion& chunk, const Shape& live) {
  const std::size_t rank = task.box.rank();
  ChunkRegion region{Shape(rank), Shape(rank), chunk.step, true, chunk.destination};
  for (std::size_t i = 0; i < rank; ++i) {
    const std::uint64_t origin = task.box.origin[i];
    const std::uint64_t step = chunk.step[i];
    const std::uint64_t from = origin <= chunk.first[i] ? 0 : (origin - chunk.first[i] - 1) / step + 1;
    const std::uint64_t until = std::min(chunk.count[i], (task.box.end(i) - 1 - chunk.first[i]) / step + 1);
    region.first[i] = chunk.first[i] + from * step - origin;
    region.count[i] = until - from;
    region.destination.data += static_cast<std::ptrdiff_t>(from) * chunk.destination.strides[i];
    region.whole = region.whole && region.count[i] == std::min(task.box.shape[i], live[i] - origin);
  }
  return region;
}

}  // namespace

void ShardInnerChunks::Read(const ValueReader& source, const std::shared_ptr<const ValueState>& state,
                            std::span<const InnerChunkRead> tasks, const ChunkId& key, const ChunkRegion& chunk,
                            const Shape& live) const {
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const ChunkRegion region = MakeRegion(tasks[i], chunk, live);
    if (!tasks[i].range) {
      io_.Fill(region);
    } else if (!io_.CopyFromCache({key.array_id, key.chunk, tasks[i].inner_index}, *state, *tasks[i].decoder, region)) {
      io_.CheckSize(*tasks[i].decoder, tasks[i].range->length);
      wanted.push_back(i);
    }
  }
  if (wanted.empty()) return;
  const MemoryShare share = io_.ReserveMemory(*tasks[wanted[0]].decoder);
  const ValueReader& bytes = tasks[wanted[0]].source ? *tasks[wanted[0]].source : source;
  const std::uint64_t begin = tasks[wanted.front()].range->offset;
  std::uint64_t end = begin;
  for (const std::size_t i : wanted) end = std::max(end, GetEnd(*tasks[i].range));
  ScratchBuffer value(static_cast<std::size_t>(end - begin));
  const ByteRange range{begin, end - begin};
  const MutableByteSpan buffer = value.span();
  if (!bytes.Read({&range, 1}, {&buffer, 1})) throw ValueChanged();
  for (const std::size_t i : wanted) {
    const ByteSpan encoded = ByteSpan(buffer).subspan(tasks[i].range->offset - begin, tasks[i].range->length);
    io_.DecodeStored({key.array_id, key.chunk, tasks[i].inner_index}, state, encoded, *tasks[i].decoder,
                     MakeRegion(tasks[i], chunk, live));
  }
}

void GroupTasks(std::size_t number, const PlannedShard& shard, const Store& store, std::vector<ShardGroup>* groups) {
  const std::vector<InnerChunkRead>& tasks = shard.tasks;
  const Merging merging = ChooseMerging(store);
  const auto are_together = [&](std::size_t first, std::size_t next) {
    return AreTogether(tasks[first], tasks[next - 1], tasks[next], merging, shard.kept.get());
  };
  for (std::size_t first = 0; first < tasks.size();) {
    std::size_t last = first + 1;
    while (last < tasks.size() && are_together(first, last)) ++last;
    groups->push_back({number, first, last});
    first = last;
  }
}

}  // namespace zarr
