// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "zarrlib/array/write/write_operation.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/base/once.h"

namespace zarr {
namespace {

/// How many shards, and inner chunks unless one shard has more, are planned at once. Limits the memory of the plan.
constexpr std::uint64_t kShardsAtOnce = 64;
constexpr std::uint64_t kInnerChunksAtOnce = 1 << 16;

}  // namespace

/// A shard that is being written or flushed.
struct WriteOperation::Shard {
  PendingChunks::Lease chunk;
  std::optional<ChunkOverlap> overlap;     // only in a write
  std::optional<ChunkRange> inner_chunks;  // only in a write: the inner chunks that the selection overlaps
  std::vector<std::uint64_t> open;         // only in a flush: the inner chunks to complete and encode
  bool misses_inner_chunks = false;        // only in a flush: true if inner chunks must be read from the store
  ChunkLock lock;                          // only in a flush: from before it is loaded until it is stored
  std::atomic<std::uint64_t> remaining{0};
  std::mutex ready_mutex;

  Once loaded;
  std::optional<SplitShard> stored;
  /// The inner chunks of `open` that were incomplete, encoded together with the stored elements; nullopt for an empty
  /// one. They stay open, because the shard may have to be merged again.
  std::vector<std::optional<Bytes>> merged;
  std::optional<ChangedMeanwhile> outrun;  // another process has changed the stored shard

  std::optional<ByteSpan> GetStoredInnerChunk(std::uint64_t inner_chunk) const {
    if (!stored || !stored->inner_chunks[inner_chunk]) return std::nullopt;
    const ByteRange& range = *stored->inner_chunks[inner_chunk];
    return ByteSpan(stored->bytes).subspan(range.offset, range.length);
  }
};

/// Shards, and the list of tasks for their inner chunks.
struct WriteOperation::Shards {
  struct Task {
    Shard* shard;
    std::uint64_t number;  // of the inner chunk in the shard
  };
  std::vector<std::unique_ptr<Shard>> shards;
  std::vector<Task> tasks;

  /// Adds a shard with `remaining` tasks.
  void Add(std::unique_ptr<Shard> shard, std::uint64_t remaining) {
    shard->remaining = remaining;
    shards.push_back(std::move(shard));
  }
  /// Makes the list of tasks. It alternates between `together` shards at a time, so that they are completed at the same
  /// time and each thread stores one. Otherwise all threads would wait while one of them stores the last shard.
  void MakeTasks(std::size_t together) {
    std::uint64_t count = 0;
    for (const auto& shard : shards) count += shard->remaining;
    tasks.reserve(static_cast<std::size_t>(count));
    for (std::size_t begin = 0; begin < shards.size(); begin += together) {
      const std::size_t end = std::min(begin + together, shards.size());
      for (std::uint64_t number = 0, before = UINT64_MAX; tasks.size() != before; ++number) {
        before = tasks.size();
        for (std::size_t i = begin; i < end; ++i) {
          if (number < shards[i]->remaining) tasks.push_back({shards[i].get(), number});
        }
      }
    }
  }
};

namespace {

/// Returns nullopt for an inner chunk that need not be stored.
std::optional<Bytes> EncodeElements(const std::byte* elements, const ChunkEncoder& codec) {
  if (codec.IsEmpty(elements)) return std::nullopt;
  ScratchBuffer encoded;
  const ByteSpan bytes = codec.Encode(elements, &encoded.bytes());
  return Bytes(bytes.begin(), bytes.end());
}

/// Encodes a complete inner chunk.
void EncodeInnerChunk(const std::byte* elements, PendingChunk* chunk, PendingInnerChunk* inner_chunk) {
  const std::size_t before = (inner_chunk->open ? inner_chunk->open->memory_size() : 0) +
                             (inner_chunk->value ? inner_chunk->value->size() : 0);
  inner_chunk->value = EncodeElements(elements, *chunk->codec);
  inner_chunk->open.reset();
  if (!std::exchange(inner_chunk->encoded, true)) ++chunk->encoded_inner_chunks;
  chunk->bytes += (inner_chunk->value ? inner_chunk->value->size() : 0) - before;
}

/// Writes to an inner chunk without encoding it. Returns true if this made it complete.
bool WriteToOpen(const RegionElements& source, const Shape& live, PendingChunk* chunk, PendingInnerChunk* inner_chunk) {
  if (inner_chunk->encoded) {
    const std::optional<ByteSpan> encoded =
        inner_chunk->value ? std::optional<ByteSpan>(*inner_chunk->value) : std::nullopt;
    auto reopened = std::make_unique<PartialChunk>(*chunk->codec, encoded, chunk->stock);
    reopened->Put(source);
    EncodeInnerChunk(reopened->elements(), chunk, inner_chunk);
    return false;
  }
  const std::size_t before = inner_chunk->open ? inner_chunk->open->memory_size() : 0;
  if (!inner_chunk->open) inner_chunk->open = std::make_unique<PartialChunk>(*chunk->codec, live, chunk->stock);
  const bool was_complete = inner_chunk->open->complete();
  inner_chunk->open->Put(source);
  chunk->bytes += inner_chunk->open->memory_size() - before;
  return inner_chunk->open->complete() && !was_complete;
}

}  // namespace

// --- writing ----------------------------------------------------------------------------------------------------

bool WriteOperation::WriteShards(const Selection& selection, const ElementSource& source) const {
  const ChunkRange range(store_.array().metadata().chunk_grid, selection);
  for (std::uint64_t begin = 0; begin < range.count();) {
    std::uint64_t end = begin;
    std::uint64_t bytes = 0;
    const std::uint64_t most = options_.progress ? CountShardsTogether() : kShardsAtOnce;
    const auto room = [&](std::uint64_t inner_chunks) {
      return end == begin || (end - begin < most && inner_chunks < kInnerChunksAtOnce && bytes < buffer_limit_ / 4);
    };
    for (std::uint64_t inner_chunks = 0; end < range.count() && room(inner_chunks); ++end) {
      const ChunkOverlap overlap = range.At(end);
      const auto codec = store_.GetEncoder(overlap.encoded_shape);
      const std::uint64_t met = ChunkRange(codec->grid(), {overlap.first, overlap.count, selection.step}).count();
      inner_chunks += met;
      bytes += ComputeProduct(codec->grid().grid_shape()) * sizeof(PendingInnerChunk);
      if (!overlap.whole) bytes += met * codec->memory_size();
    }
    WriteShards(range, begin, end, selection, source);
    if (buffer_->bytes() > buffer_limit_) PutShards(buffer_->TakeExcess(buffer_limit_ / 4 * 3));
    begin = end;
    if (!Proceeds(end, range.count())) return false;
  }
  return true;
}

/// Must be called while this thread holds no leases, because `progress` may use the array.
bool WriteOperation::Proceeds(std::uint64_t done, std::uint64_t all) const {
  return !options_.progress || options_.progress(static_cast<double>(done) / static_cast<double>(all));
}

void WriteOperation::WriteShards(const ChunkRange& range, std::uint64_t begin, std::uint64_t end,
                                 const Selection& selection, const ElementSource& source) const {
  Shards shards;
  for (std::uint64_t number = begin; number < end; ++number) {
    auto shard = std::make_unique<Shard>();
    shard->overlap = range.At(number);
    const ChunkOverlap& overlap = *shard->overlap;
    const std::string key = store_.array().MakeChunkKey(overlap.grid_index);
    shard->chunk = buffer_->Take(key);
    PendingChunk& chunk = *shard->chunk;
    if (chunk.inner_chunks.empty()) {
      chunk.grid_index = overlap.grid_index;
      chunk.live = overlap.live.shape;
      chunk.codec = store_.GetEncoder(overlap.encoded_shape);
      chunk.inner_chunks.resize(static_cast<std::size_t>(ComputeProduct(chunk.codec->grid().grid_shape())));
      chunk.bytes += chunk.inner_chunks.size() * sizeof(PendingInnerChunk);
    }
    shard->chunk.Keep(true);
    shard->inner_chunks.emplace(chunk.codec->grid(), Selection{overlap.first, overlap.count, selection.step});
    const std::uint64_t tasks = shard->inner_chunks->count();
    shards.Add(std::move(shard), tasks);
  }
  shards.MakeTasks(CountShardsTogether());
  ParallelFor(shards.tasks.size(), {width_, options_.hook, {}}, [&](std::uint64_t task) {
    const Shards::Task& own = shards.tasks[static_cast<std::size_t>(task)];
    store_.RunAtChunk(own.shard->chunk->key, own.shard->overlap->grid_index, [&] {
      WriteInnerChunk(own.shard, own.number, selection, source);
      FinishInnerChunk(own.shard, false);
    });
  });
}

void WriteOperation::WriteInnerChunk(Shard* shard, std::uint64_t number, const Selection& selection,
                                     const ElementSource& source) const {
  PendingChunk& chunk = *shard->chunk;
  const ChunkEncoder& codec = *chunk.codec;
  const ChunkOverlap inner = shard->inner_chunks->At(number);
  Shape output = inner.output;
  for (std::size_t i = 0; i < output.size(); ++i) output[i] += shard->overlap->output[i];
  const RegionElements region_elements{inner.first,    inner.count,     selection.step, GetSource(source, output),
                                       source.strides, source.converter};
  const auto inner_number = static_cast<std::size_t>(codec.GetInnerChunkNumber(inner.grid_index));
  PendingInnerChunk& inner_chunk = chunk.inner_chunks[inner_number];
  const Shape live = chunk.GetLiveShape(inner.grid_index);
  // An inner chunk that is complete but not encoded stays that way: it is in the list `ready`.
  if (options_.defer || inner_chunk.open || inner.count != live) {
    if (!WriteToOpen(region_elements, live, &chunk, &inner_chunk)) return;
    if (!options_.defer) return EncodeInnerChunk(inner_chunk.open->elements(), &chunk, &inner_chunk);
    const std::lock_guard lock(shard->ready_mutex);
    chunk.ready.push_back(inner_number);
    return;
  }
  if (codec.TakesAsItIs(region_elements)) return EncodeInnerChunk(region_elements.data, &chunk, &inner_chunk);
  ScratchBuffer elements(codec.memory_size());
  if (live != codec.inner_chunk_shape()) codec.Fill(elements.span().data());
  codec.Copy(region_elements, elements.span().data());
  EncodeInnerChunk(elements.span().data(), &chunk, &inner_chunk);
}

void WriteOperation::FinishInnerChunk(Shard* shard, bool store_incomplete) const {
  if (--shard->remaining > 0) return;
  if (!store_incomplete) {
    const std::size_t ready = shard->chunk->ready.size();
    const bool all = shard->chunk->encoded_inner_chunks + ready == shard->chunk->live_inner_chunks();
    if (ready > 0 && (all || ready >= kReadyPerThread * width_)) EncodeReady(&*shard->chunk);
  }
  const bool complete = shard->chunk->encoded_inner_chunks == shard->chunk->live_inner_chunks();
  const bool is_put = (store_incomplete || (complete && LockComplete(shard))) && TryToPutShard(shard);
  const bool is_first = shard->lock.is_first;
  shard->lock = {};
  shard->stored.reset();
  if (is_put) return shard->chunk.Drop();
  if (store_incomplete) return;  // it is merged again
  // Shards that have to be merged are stored later.
  if (is_first) AdoptPresentLive(shard);
  shard->chunk.Release();
}

void WriteOperation::AdoptPresentLive(Shard* shard) const {
  PendingChunk& chunk = *shard->chunk;
  chunk.AdoptLive(store_.Lock(chunk.key, chunk.grid_index, chunk.live).live);
}

bool WriteOperation::LockComplete(Shard* shard) const {
  PendingChunk& chunk = *shard->chunk;
  shard->lock = store_.LockWhole(chunk.key, chunk.grid_index, chunk.live);
  if (shard->lock.live == chunk.live) return true;
  // The shape of the array has changed. If the shard is incomplete in the new shape, it stays pending.
  chunk.AdoptLive(shard->lock.live);
  if (chunk.encoded_inner_chunks == chunk.live_inner_chunks()) return true;
  shard->lock = {};
  return false;
}

// --- storing ----------------------------------------------------------------------------------------------------

bool WriteOperation::TryToPutShard(Shard* shard) const {
  try {
    return PutShard(shard);
  } catch (const ChangedMeanwhile& reason) {
    if (!shard->misses_inner_chunks && !shard->lock.is_first) throw;
    shard->outrun = reason;
    return false;
  }
}

std::vector<std::optional<ByteSpan>> WriteOperation::GetInnerChunks(const Shard& shard) {
  const PendingChunk& chunk = *shard.chunk;
  std::vector<std::optional<ByteSpan>> inner_chunks(chunk.inner_chunks.size());
  for (std::size_t i = 0; i < inner_chunks.size(); ++i) {
    const PendingInnerChunk& inner_chunk = chunk.inner_chunks[i];
    if (!inner_chunk.encoded)
      inner_chunks[i] = shard.GetStoredInnerChunk(i);
    else if (inner_chunk.value)
      inner_chunks[i] = *inner_chunk.value;
  }
  for (std::size_t i = 0; i < shard.merged.size(); ++i) {
    const auto number = static_cast<std::size_t>(shard.open[i]);
    const std::optional<Bytes>& merged = shard.merged[i];
    if (!chunk.inner_chunks[number].encoded)
      inner_chunks[number] = merged ? std::optional<ByteSpan>(*merged) : std::nullopt;
  }
  return inner_chunks;
}

bool WriteOperation::PutShard(Shard* shard) const {
  PendingChunk& chunk = *shard->chunk;
  const std::vector<std::optional<ByteSpan>> inner_chunks = GetInnerChunks(*shard);
  const bool empty = std::ranges::none_of(inner_chunks, &std::optional<ByteSpan>::has_value);
  if (empty && shard->lock.is_first) return false;
  if (empty && !store_.KeepsEmpty(shard->stored.has_value())) {
    store_.PutValue(chunk.key, chunk.grid_index, *chunk.codec, std::nullopt);
    return true;
  }
  ScratchBuffer value;
  chunk.codec->shards()->Assemble(inner_chunks, &value.bytes());
  store_.PutValue(chunk.key, chunk.grid_index, *chunk.codec, value.span());
  return true;
}

void WriteOperation::EncodeReady(PendingChunk* chunk) const {
  const std::vector<std::size_t> ready = std::exchange(chunk->ready, {});
  ParallelFor(ready.size(), {width_, options_.hook, {}}, [&](std::uint64_t i) {
    PendingInnerChunk& inner_chunk = chunk->inner_chunks[ready[i]];
    EncodeInnerChunk(inner_chunk.open->elements(), chunk, &inner_chunk);
  });
}

void WriteOperation::CompleteInnerChunk(Shard* shard, std::uint64_t task) const {
  PendingChunk& chunk = *shard->chunk;
  if (shard->misses_inner_chunks) {
    store_.CheckMayMerge();
    shard->loaded.Run([&] {
      shard->stored = store_.LoadInnerChunks(chunk, [&](std::size_t i) {
        const PendingInnerChunk& kept = chunk.inner_chunks[i];
        return !kept.encoded && !(kept.open && kept.open->complete());
      });
    });
  }
  if (shard->open.empty()) return;
  const std::uint64_t number = shard->open[static_cast<std::size_t>(task)];
  PendingInnerChunk& inner_chunk = chunk.inner_chunks[static_cast<std::size_t>(number)];
  if (inner_chunk.open->complete()) return EncodeInnerChunk(inner_chunk.open->elements(), &chunk, &inner_chunk);
  const std::size_t before = inner_chunk.open->memory_size();
  inner_chunk.open->Complete(shard->GetStoredInnerChunk(number));
  chunk.bytes += inner_chunk.open->memory_size() - before;
  shard->merged[static_cast<std::size_t>(task)] = EncodeElements(inner_chunk.open->elements(), *chunk.codec);
}

void WriteOperation::PutShards(std::vector<PendingChunks::Lease> chunks) const {
  for (PendingChunks::Lease& chunk : chunks) chunk.Keep(false);
  Repetition repetition;
  while (!chunks.empty()) {
    std::vector<std::unique_ptr<Shard>> locked;
    const auto take = [&](PendingChunks::Lease* chunk, bool waits) {
      if (locked.size() == kLockedPerThread * width_) return false;
      store_.RunAtChunk((*chunk)->key, (*chunk)->grid_index, [&] {
        ChunkLock lock = store_.Lock((*chunk)->key, (*chunk)->grid_index, (*chunk)->live, waits);
        if (lock.busy) return;
        locked.push_back(std::make_unique<Shard>());
        locked.back()->chunk = std::move(*chunk);
        locked.back()->lock = std::move(lock);
      });
      return !*chunk;
    };
    // While this thread holds locks, it does not wait for others.
    std::erase_if(chunks, [&](PendingChunks::Lease& chunk) { return take(&chunk, false); });
    if (locked.empty() && take(&chunks.front(), true)) chunks.erase(chunks.begin());
    const std::size_t count = locked.size();
    OutrunShards outrun = PutLockedShards(std::move(locked));
    if (outrun.chunks.size() < count) repetition = {};
    if (outrun.reason) repetition.Wait(*outrun.reason);
    std::ranges::move(outrun.chunks, std::back_inserter(chunks));
  }
}

WriteOperation::OutrunShards WriteOperation::PutLockedShards(std::vector<std::unique_ptr<Shard>> locked) const {
  Shards shards;
  for (std::unique_ptr<Shard>& shard : locked) {
    if (shard->lock.live != shard->chunk->live) shard->chunk->AdoptLive(shard->lock.live);
    for (std::size_t i = 0; i < shard->chunk->inner_chunks.size(); ++i) {
      if (shard->chunk->inner_chunks[i].open) shard->open.push_back(i);
    }
    const PendingChunk& pending = *shard->chunk;
    const std::size_t complete =
        static_cast<std::size_t>(std::count_if(shard->open.begin(), shard->open.end(), [&](std::uint64_t i) {
          return pending.inner_chunks[i].open->complete();
        }));
    shard->misses_inner_chunks = pending.encoded_inner_chunks + complete < pending.live_inner_chunks();
    shard->chunk->ready.clear();
    shard->merged.resize(shard->open.size());
    const std::uint64_t remaining = std::max<std::uint64_t>(shard->open.size(), 1);
    shards.Add(std::move(shard), remaining);
  }
  shards.MakeTasks(CountShardsTogether());
  ParallelFor(shards.tasks.size(), {width_, options_.hook, {}}, [&](std::uint64_t task) {
    const Shards::Task& own = shards.tasks[static_cast<std::size_t>(task)];
    PendingChunk& chunk = *own.shard->chunk;
    store_.RunAtChunk(chunk.key, chunk.grid_index, [&] {
      CompleteInnerChunk(own.shard, own.number);
      FinishInnerChunk(own.shard, true);
    });
  });
  OutrunShards outrun;
  for (const std::unique_ptr<Shard>& shard : shards.shards) {
    if (!shard->outrun) continue;
    outrun.reason = shard->outrun;
    outrun.chunks.push_back(std::move(shard->chunk));
  }
  return outrun;
}

bool WriteOperation::FlushShards() const {
  const std::vector<std::string> keys = buffer_->GetPendingKeys();
  const std::size_t together = options_.progress ? CountShardsTogether() : keys.size();
  for (std::size_t begin = 0; begin < keys.size();) {
    const std::size_t end = std::min(begin + together, keys.size());
    std::vector<PendingChunks::Lease> chunks;
    for (; begin < end; ++begin) {
      if (auto chunk = buffer_->TakePending(keys[begin])) chunks.push_back(std::move(chunk));
    }
    PutShards(std::move(chunks));
    if (!Proceeds(end, keys.size())) return false;
  }
  return true;
}

}  // namespace zarr
