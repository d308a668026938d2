// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "zarrlib/array/cache/shard_index_cache.h"
#include "zarrlib/array/read/read_operation.h"
#include "zarrlib/array/read/stored_value.h"
#include "zarrlib/base/executor.h"

namespace zarr {
namespace {

/// How many shards, and inner chunks unless one shard has more, are planned at once. Bounds the memory of the plan.
constexpr std::uint64_t kShardsAtOnce = 256;
constexpr std::uint64_t kInnerChunksAtOnce = 1 << 14;
/// The memory that the indices of these shards, and the shards that are decoded whole, may take, unless one shard takes
/// more.
constexpr std::uint64_t kOpenedAtOnce = std::uint64_t{256} << 20;

/// How neighbouring inner chunks are merged into one request.
struct Merging {
  std::uint64_t largest_gap;
  std::uint64_t largest_request;
};

/// On a network, a gap is worth reading that costs less than a request of its own: a round trip takes 20 ms or more
/// outside a data centre, in which a line of 50 Mbit/s carries 125 kB. Requests are not merged beyond a size at which
/// several of them, in parallel, are faster.
Merging ChooseMerging(const Store& store) {
  const bool remote = store.capabilities().concurrency > 0;
  return remote ? Merging{128 << 10, 4 << 20} : Merging{4 << 10, 128 << 10};
}

std::uint64_t GetEnd(const ByteRange& range) {
  return range.offset + range.length;
}

/// An upper bound on the number of inner chunks of a shard that a selection meets.
std::uint64_t CountMostInnerChunks(const ChunkOverlap& overlap, const Shape& step, const Shape& inner_chunk_shape) {
  std::uint64_t inner_chunks = 1;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const std::uint64_t last = overlap.first[i] + (overlap.count[i] - 1) * step[i];
    inner_chunks *=
        std::min(overlap.count[i], last / inner_chunk_shape[i] - overlap.first[i] / inner_chunk_shape[i] + 1);
  }
  return inner_chunks;
}

/// Where along an axis a selection in a shard is cut: the number of elements before the inner chunk in the middle.
std::uint64_t CountElementsBeforeMiddle(const ChunkOverlap& overlap, std::uint64_t step, std::uint64_t edge,
                                        std::size_t axis) {
  const std::uint64_t first = overlap.first[axis];
  const std::uint64_t last = first + (overlap.count[axis] - 1) * step;
  const std::uint64_t middle = (first / edge + last / edge + 1) / 2 * edge;
  return std::clamp<std::uint64_t>((middle - first - 1) / step + 1, 1, overlap.count[axis] - 1);
}

/// Cuts the selection in a shard between inner chunks, and calls `use` with pieces that are small enough to be planned
/// at once. Returns false as soon as `use` does.
template <typename Use>
bool ForEachPiece(const ChunkOverlap& overlap, const Shape& step, const Shape& inner_chunk_shape, const Use& use) {
  if (CountMostInnerChunks(overlap, step, inner_chunk_shape) <= kInnerChunksAtOnce) return use(overlap);
  std::size_t axis = 0;
  const auto is_one = [&](std::size_t i) {
    const std::uint64_t last = overlap.first[i] + (overlap.count[i] - 1) * step[i];
    return overlap.first[i] / inner_chunk_shape[i] == last / inner_chunk_shape[i];
  };
  while (is_one(axis)) ++axis;
  const std::uint64_t before = CountElementsBeforeMiddle(overlap, step[axis], inner_chunk_shape[axis], axis);
  ChunkOverlap piece = overlap;
  piece.count[axis] = before;
  if (!ForEachPiece(piece, step, inner_chunk_shape, use)) return false;
  piece.first[axis] += before * step[axis];
  piece.output[axis] += before;
  piece.count[axis] = overlap.count[axis] - before;
  return ForEachPiece(piece, step, inner_chunk_shape, use);
}

/// How often a value is read again if it changes while it is read.
constexpr int kTries = 20;

[[noreturn]] void FailChanging(const Store& store, const std::string& key) {
  throw Error(ErrorKind::kIo, store.name(), key, "", "the value changes all the time while it is read");
}

}  // namespace

/// A shard whose inner chunks are to be read.
struct ReadOperation::PlannedShard {
  ChunkOverlap overlap;
  std::string key;
  ChunkId inner_chunk_key;
  std::shared_ptr<const IndexedShard> shard;  // nullptr: absent
  std::vector<InnerChunkRead> tasks;          // in the order of the value
};

/// Inner chunks that are read with one request: the tasks [first, last) of a shard.
struct ShardGroup {
  std::size_t shard = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Reads inner chunks of shards whose indices are known.
class ShardInnerChunks {
 public:
  explicit ShardInnerChunks(const ChunkLoader& io) : io_(io) {}

  /// The region that the selection takes of an inner chunk, which is at `box` in the chunk.
  ChunkRegion MakeRegion(const InnerChunkRead& task, const ChunkRegion& chunk, const Shape& live) const {
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

  void Read(const StoredValue& source, const std::shared_ptr<const ValueState>& state,
            std::span<const InnerChunkRead> tasks, const ChunkId& key, const ChunkRegion& chunk,
            const Shape& live) const {
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const ChunkRegion region = MakeRegion(tasks[i], chunk, live);
      if (!tasks[i].range) {
        io_.Fill(region);
      } else if (!io_.CopyFromCache({key.array_id, key.chunk, tasks[i].inner_index}, *state, *tasks[i].decoder,
                                    region)) {
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

  /// Cuts a shard's tasks into groups, each of which is one request.
  static void GroupReads(std::size_t shard, std::span<const InnerChunkRead> tasks, const Merging& merging,
                         std::vector<ShardGroup>* groups) {
    for (std::size_t first = 0; first < tasks.size();) {
      std::size_t last = first + 1;
      while (last < tasks.size() && AreTogether(tasks[first], tasks[last - 1], tasks[last], merging)) ++last;
      groups->push_back({shard, first, last});
      first = last;
    }
  }

 private:
  static bool AreTogether(const InnerChunkRead& first, const InnerChunkRead& previous, const InnerChunkRead& next,
                          const Merging& merging) {
    if (!first.range || !next.range || first.source != next.source) return false;
    if (next.range->offset > GetEnd(*previous.range) + merging.largest_gap) return false;
    return GetEnd(*next.range) - first.range->offset <= merging.largest_request;
  }

  const ChunkLoader& io_;
};

void ReadOperation::PlanShard(const ChunkOverlap& overlap, PlannedShard* shard) const {
  shard->overlap = overlap;
  shard->key = array_.MakeChunkKey(shard->overlap.grid_index);
  shard->inner_chunk_key = io_.GetChunkId(shard->overlap.grid_index);
  for (int i = 0; i < kTries; ++i) {
    try {
      return OpenAndPlan(shard);
    } catch (const ValueChanged&) {
      ShardIndexCache::GetShared().Erase(shard->inner_chunk_key);
      shard->shard.reset();
    }
  }
  FailChanging(array_.store(), shard->key);
}

std::shared_ptr<const IndexedShard> ReadOperation::FindShard(const PlannedShard& shard) const {
  auto known = io_.names_chunks() ? ShardIndexCache::GetShared().Find(shard.inner_chunk_key) : nullptr;
  if (!known || known->state->Check(array_.store(), shard.key, array_.opened(), io_.began())) return known;
  ShardIndexCache::GetShared().Erase(shard.inner_chunk_key);
  return nullptr;
}

void ReadOperation::OpenAndPlan(PlannedShard* shard) const {
  const bool cached = io_.names_chunks();
  if (!shard->shard) shard->shard = FindShard(*shard);
  const StoredValue source = shard->shard ? StoredValue(array_.store(), shard->key, shard->shard->state->stamp())
                                          : StoredValue(array_.store(), shard->key);
  if (!shard->shard) {
    const auto pipeline = GetPipeline(shard->overlap);
    if (const auto size = array_.store().GetUnpackedSize(shard->key)) CheckStoredSize(*pipeline, *size);
    std::shared_ptr<const ShardReader> decoder;
    if (!GetIfThere(shard->key, [&] { return (decoder = pipeline->Open(source)) != nullptr; })) return;
    shard->shard = std::make_shared<IndexedShard>(IndexedShard{std::move(decoder), io_.MakeState(source.stamp())});
    if (io_.MayKeep()) {
      ShardIndexCache::GetShared().Insert(shard->inner_chunk_key, shard->shard, array_.generation(), io_.generation());
    }
  }
  shard->tasks.clear();
  const std::size_t size = shard->shard->decoder->memory_size();
  shard->shard->decoder->Plan({shard->overlap.first, shard->overlap.count, selection_.step}, source, &shard->tasks);
  if (cached && shard->shard->decoder->memory_size() != size)
    ShardIndexCache::GetShared().Recount(shard->inner_chunk_key);
  std::stable_sort(shard->tasks.begin(), shard->tasks.end(), [](const InnerChunkRead& a, const InnerChunkRead& b) {
    return (a.range ? a.range->offset : UINT64_MAX) < (b.range ? b.range->offset : UINT64_MAX);
  });
}

void ReadOperation::ReadGroup(const PlannedShard& shard, std::size_t first, std::size_t last) const {
  const ShardInnerChunks inner_chunks(io_);
  const ChunkRegion chunk = MakeRegion(shard.overlap);
  const Shape& live = shard.overlap.live.shape;
  const auto group = std::span(shard.tasks).subspan(first, last - first);
  try {
    const StoredValue source(array_.store(), shard.key, shard.shard->state->stamp());
    return inner_chunks.Read(source, shard.shard->state, group, shard.inner_chunk_key, chunk, live);
  } catch (const ValueChanged&) {
    ShardIndexCache::GetShared().Erase(shard.inner_chunk_key);
  }
  // The shard was replaced after its index was read. Reads the inner chunks of this group anew; other threads do that
  // for the other groups.
  const auto in_group = [&](const InnerChunkRead& task) {
    return std::any_of(group.begin(), group.end(),
                       [&](const InnerChunkRead& old) { return !Intersect(old.box, task.box).empty(); });
  };
  for (int i = 0; i < kTries; ++i) {
    PlannedShard fresh;
    PlanShard(shard.overlap, &fresh);
    try {
      if (!fresh.shard) {
        for (const InnerChunkRead& task : group) io_.Fill(inner_chunks.MakeRegion(task, chunk, live));
        return;
      }
      const StoredValue source(array_.store(), fresh.key, fresh.shard->state->stamp());
      for (const InnerChunkRead& task : fresh.tasks) {
        if (in_group(task))
          inner_chunks.Read(source, fresh.shard->state, {&task, 1}, fresh.inner_chunk_key, chunk, live);
      }
      return;
    } catch (const ValueChanged&) {
      ShardIndexCache::GetShared().Erase(shard.inner_chunk_key);
    }
  }
  FailChanging(array_.store(), shard.key);
}

ExecutorOptions ReadOperation::MakeOptionsForShare(double from, double to) const {
  ExecutorOptions options = executor_options();
  if (!options_.progress) return options;
  options.progress = [this, from, to](double region) { return options_.progress(std::lerp(from, to, region)); };
  return options;
}

bool ReadOperation::ReadShards() const {
  const Shape inner_chunk_shape = array_.smallest_chunk_shape();
  const auto share = [&](std::uint64_t number) {
    return static_cast<double>(number) / static_cast<double>(range_.count());
  };
  std::vector<ChunkOverlap> overlaps;
  for (std::uint64_t begin = 0; begin < range_.count();) {
    std::uint64_t end = begin;
    std::uint64_t inner_chunks = 0;
    std::uint64_t opened = 0;
    overlaps.clear();
    for (; end < range_.count() && end - begin < kShardsAtOnce; ++end) {
      overlaps.push_back(range_.At(end));
      inner_chunks += CountMostInnerChunks(overlaps.back(), selection_.step, inner_chunk_shape);
      opened += std::min(GetPipeline(overlaps.back())->max_open_size(), kOpenedAtOnce);
      if (end > begin && (inner_chunks > kInnerChunksAtOnce || opened > kOpenedAtOnce)) {
        overlaps.pop_back();
        break;
      }
    }
    const bool is_large = inner_chunks > kInnerChunksAtOnce && overlaps.size() == 1;
    const bool done = is_large ? ReadLargeShard(overlaps[0], share(begin), share(end))
                               : ReadShards(overlaps, share(begin), share(end), nullptr);
    if (!done) return false;
    begin = end;
  }
  return true;
}

bool ReadOperation::ReadLargeShard(const ChunkOverlap& overlap, double from, double to) const {
  const auto all = static_cast<double>(ComputeProduct(overlap.count));
  std::shared_ptr<const IndexedShard> shard;  // its index is read once
  double done = from;
  return ForEachPiece(overlap, selection_.step, array_.smallest_chunk_shape(), [&](const ChunkOverlap& piece) {
    const double end = std::min(to, done + (to - from) * static_cast<double>(ComputeProduct(piece.count)) / all);
    return ReadShards({&piece, 1}, std::exchange(done, end), end, &shard);
  });
}

bool ReadOperation::ReadShards(std::span<const ChunkOverlap> overlaps, double from, double to,
                               std::shared_ptr<const IndexedShard>* opened) const {
  const Merging merging = ChooseMerging(array_.store());
  std::vector<PlannedShard> shards(overlaps.size());
  if (opened) shards[0].shard = *opened;
  const auto placed = [&](const PlannedShard& shard, const auto& work) {
    RunAtChunk(array_.store(), shard.key, shard.overlap.grid_index, work);
  };
  const bool planned = ParallelFor(overlaps.size(), MakeOptionsForShare(from, (from + to) / 2), [&](std::uint64_t i) {
    placed(shards[i], [&] {
      PlanShard(overlaps[i], &shards[i]);
      if (!shards[i].shard) io_.Fill(MakeRegion(shards[i].overlap));
    });
  });
  if (!planned) return false;
  if (opened) *opened = shards[0].shard;
  std::vector<ShardGroup> groups;
  for (std::size_t i = 0; i < shards.size(); ++i) ShardInnerChunks::GroupReads(i, shards[i].tasks, merging, &groups);
  if (groups.empty()) return !options_.progress || options_.progress(to);
  return ParallelFor(groups.size(), MakeOptionsForShare((from + to) / 2, to), [&](std::uint64_t i) {
    const PlannedShard& shard = shards[groups[i].shard];
    placed(shard, [&] { ReadGroup(shard, groups[i].first, groups[i].last); });
  });
}

}  // namespace zarr
