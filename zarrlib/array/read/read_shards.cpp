// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "zarrlib/array/cache/shard_index_cache.h"
#include "zarrlib/array/read/planned_shard.h"
#include "zarrlib/array/read/read_operation.h"
#include "zarrlib/array/read/shard_inner_chunks.h"
#include "zarrlib/array/read/stored_value.h"
#include "zarrlib/base/executor.h"

namespace zarr {
namespace {

/// How many shards, and inner chunks unless one shard has more, are planned at once. Limits the memory of the plan.
constexpr std::uint64_t kShardsAtOnce = 256;
constexpr std::uint64_t kInnerChunksAtOnce = 1 << 14;
/// The memory that the indices of these shards, and the shards that are decoded as a whole, may take, unless one shard
/// takes more.
constexpr std::uint64_t kOpenedAtOnce = std::uint64_t{256} << 20;

/// Returns an upper bound on the number of inner chunks of a shard that a selection overlaps.
std::uint64_t CountMostInnerChunks(const ChunkOverlap& overlap, const Shape& step, const Shape& inner_chunk_shape) {
  std::uint64_t inner_chunks = 1;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const std::uint64_t last = overlap.first[i] + (overlap.count[i] - 1) * step[i];
    inner_chunks *=
        std::min(overlap.count[i], last / inner_chunk_shape[i] - overlap.first[i] / inner_chunk_shape[i] + 1);
  }
  return inner_chunks;
}

/// Returns where to cut a selection in a shard along an axis: the number of elements before the inner chunk in the
/// middle.
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

}  // namespace

void ReadOperation::Begin(const ChunkOverlap& overlap, PlannedShard* shard) const {
  shard->overlap = overlap;
  shard->key = array_.MakeChunkKey(overlap.grid_index);
  shard->id = io_.GetChunkId(overlap.grid_index);
}

template <typename Work>
void ReadOperation::ReadPart(PlannedShard* shard, std::size_t task, const StoredValue& source, const Work& work) const {
  try {
    work();
  } catch (const ValueChanged&) {
    ShardIndexCache::GetShared().Erase(shard->id);
    shard->NoteChange();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kCorrupt) throw;
    ShardIndexCache::GetShared().Erase(shard->id);
    if (!array_.store().info().is_on_network()) throw;  // the bytes are exactly the stored ones
    shard->NoteFailure({task, error, source.status()});
  }
}

void ReadOperation::Renew(PlannedShard* shard) const {
  const bool was_from_cache = shard->is_from_cache;
  const auto failure = shard->Reset();
  if (!failure) {
    if (++shard->changes >= kMostChanges) FailChanging(array_.store(), shard->key);
    return;
  }
  // Inner chunks that were located with a wrong index may be in the cache.
  const Shape inner = GetSmallestChunkShape(array_);
  std::uint64_t inner_chunks = 1;
  for (std::size_t i = 0; i < inner.size(); ++i) inner_chunks *= shard->overlap.encoded_shape[i] / inner[i];
  ChunkCache::GetShared().EraseChunk(shard->id.array_id, shard->id.chunk, inner_chunks);
  // An index from the cache may be the cause: reading another one is not a retry.
  if (was_from_cache) return;
  RethrowUnlessWorthGetting(array_.store(), shard->key, failure->status, ++shard->failures, failure->error);
}

std::shared_ptr<const IndexedShard> ReadOperation::FindShard(const PlannedShard& shard) const {
  auto known = io_.names_chunks() ? ShardIndexCache::GetShared().Find(shard.id) : nullptr;
  if (!known || known->state->Check(array_.store(), shard.key, array_.opened(), io_.began())) return known;
  ShardIndexCache::GetShared().Erase(shard.id);
  return nullptr;
}

void ReadOperation::PlanShard(PlannedShard* shard) const {
  const bool is_new = !shard->is_spoiled();
  if (!is_new) Renew(shard);
  if (is_new && !shard->is_opened) {
    shard->shard = FindShard(*shard);
    shard->is_opened = shard->is_from_cache = shard->shard != nullptr;
  }
  const StoredValue source =
      shard->shard ? StoredValue(array_.store(), shard->key, shard->shard->state->stamp(), shard->kept)
                   : StoredValue(array_.store(), shard->key, GetLongestStored(*GetPipeline(shard->overlap)));
  ReadPart(shard, 0, source, [&] { OpenAndPlan(source, shard); });
}

void ReadOperation::OpenAndPlan(const StoredValue& source, PlannedShard* shard) const {
  const bool is_known = shard->is_opened;
  if (!is_known) {
    shard->shard = OpenShard(source, *shard);
    shard->kept = source.kept();
    shard->is_opened = true;
  }
  if (!shard->shard) return io_.Fill(MakeRegion(shard->overlap));
  shard->tasks.clear();
  const std::size_t size = shard->shard->decoder->memory_size();
  shard->shard->decoder->Plan({shard->overlap.first, shard->overlap.count, selection_.step}, source, &shard->tasks);
  std::stable_sort(shard->tasks.begin(), shard->tasks.end(), [](const InnerChunkRead& a, const InnerChunkRead& b) {
    return (a.range ? a.range->offset : UINT64_MAX) < (b.range ? b.range->offset : UINT64_MAX);
  });
  auto& cache = ShardIndexCache::GetShared();
  if (!is_known && io_.MayKeep()) {
    cache.Insert(shard->id, shard->shard, array_.generation(), io_.generation());
  } else if (io_.names_chunks() && shard->shard->decoder->memory_size() != size) {
    cache.Recount(shard->id);
  }
}

std::shared_ptr<const IndexedShard> ReadOperation::OpenShard(const StoredValue& source,
                                                             const PlannedShard& shard) const {
  const auto pipeline = GetPipeline(shard.overlap);
  std::shared_ptr<const ShardReader> decoder;
  if (!GetIfThere(shard.key, [&] { return (decoder = pipeline->Open(source)) != nullptr; })) return nullptr;
  return std::make_shared<IndexedShard>(IndexedShard{std::move(decoder), io_.MakeState(source.stamp())});
}

void ReadOperation::ReadGroup(std::size_t first, std::size_t last, PlannedShard* shard) const {
  if (shard->is_spoiled()) return;
  const StoredValue source(array_.store(), shard->key, shard->shard->state->stamp(), shard->kept);
  ReadPart(shard, first, source, [&] {
    ShardInnerChunks(io_).Read(source, shard->shard->state, std::span(shard->tasks).subspan(first, last - first),
                               shard->id, MakeRegion(shard->overlap), shard->overlap.live.shape);
  });
}

ExecutorOptions ReadOperation::MakeOptionsForShare(double from, double to) const {
  ExecutorOptions options = executor_options();
  if (!options_.progress) return options;
  options.progress = [this, from, to](double region) { return options_.progress(std::lerp(from, to, region)); };
  return options;
}

bool ReadOperation::ReadShards() const {
  const Shape inner_chunk_shape = GetSmallestChunkShape(array_);
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
                               : ReadShards(overlaps, share(begin), share(end));
    if (!done) return false;
    begin = end;
  }
  return true;
}

bool ReadOperation::ReadLargeShard(const ChunkOverlap& overlap, double from, double to) const {
  const auto all = static_cast<double>(ComputeProduct(overlap.count));
  PlannedShard shard;  // its index is read once
  PlannedShard* const pending = &shard;
  Begin(overlap, &shard);
  do {
    double done = from;
    bool is_going = true;
    ForEachPiece(overlap, selection_.step, GetSmallestChunkShape(array_), [&](const ChunkOverlap& piece) {
      const double end = std::min(to, done + (to - from) * static_cast<double>(ComputeProduct(piece.count)) / all);
      shard.overlap = piece;
      is_going = ReadOnce({&pending, 1}, std::exchange(done, end), end);
      return is_going && !shard.is_spoiled();
    });
    if (!is_going) return false;
    from = to;
  } while (shard.is_spoiled());
  return true;
}

bool ReadOperation::ReadShards(std::span<const ChunkOverlap> overlaps, double from, double to) const {
  std::vector<PlannedShard> shards(overlaps.size());
  std::vector<PlannedShard*> pending;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    Begin(overlaps[i], &shards[i]);
    pending.push_back(&shards[i]);
  }
  while (!pending.empty()) {
    if (!ReadOnce(pending, from, to)) return false;
    std::erase_if(pending, [](const PlannedShard* shard) { return !shard->is_spoiled(); });
    from = to;
  }
  return true;
}

bool ReadOperation::ReadOnce(std::span<PlannedShard* const> shards, double from, double to) const {
  const double middle = (from + to) / 2;
  const auto placed = [&](const PlannedShard& shard, const auto& work) {
    RunAtChunk(array_.store(), shard.key, shard.overlap.grid_index, work);
  };
  const bool planned = ParallelFor(shards.size(), MakeOptionsForShare(from, middle),
                                   [&](std::uint64_t i) { placed(*shards[i], [&] { PlanShard(shards[i]); }); });
  if (!planned) return false;
  std::vector<ShardGroup> groups;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    if (!shards[i]->is_spoiled()) GroupTasks(i, *shards[i], array_.store(), &groups);
  }
  if (groups.empty()) return !options_.progress || options_.progress(to);
  return ParallelFor(groups.size(), MakeOptionsForShare(middle, to), [&](std::uint64_t i) {
    PlannedShard* const shard = shards[groups[i].shard];
    placed(*shard, [&] { ReadGroup(groups[i].first, groups[i].last, shard); });
  });
}

}  // namespace zarr
