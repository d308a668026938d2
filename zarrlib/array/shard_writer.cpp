#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "zarrlib/array/write_run.h"

namespace zarr {
namespace {

/// Shards, and (unless one shard has more) parts that are planned at once: bounds the memory of the plan.
constexpr std::uint64_t kShardsAtOnce = 64;
constexpr std::uint64_t kPartsAtOnce = 1 << 16;

}  // namespace

/// A shard that is worked on.
struct WriteRun::Shard {
  WriteBuffer::Hold chunk;
  std::optional<ChunkOverlap> overlap;  // of a write
  std::optional<ChunkRange> parts;      // of a write: those that it meets
  std::vector<std::uint64_t> open;      // of a flush: those to be completed
  bool misses_parts = false;            // of a flush: some are to be taken from the store
  std::atomic<std::uint64_t> remaining{0};
  std::mutex ready_mutex;

  std::once_flag loaded;
  std::optional<SplitValue> stored;

  std::optional<ByteSpan> StoredPart(std::uint64_t part) const {
    if (!stored || !stored->parts[part]) return std::nullopt;
    const ByteRange& range = *stored->parts[part];
    return ByteSpan(stored->bytes).subspan(range.offset, range.length);
  }
};

/// Shards whose parts are one list of tasks.
struct WriteRun::Shards {
  struct Task {
    Shard* shard;
    std::uint64_t number;  // in the shard
  };
  std::vector<std::unique_ptr<Shard>> shards;
  std::vector<Task> tasks;

  /// With `remaining` tasks.
  void Add(std::unique_ptr<Shard> shard, std::uint64_t remaining) {
    shard->remaining = remaining;
    shards.push_back(std::move(shard));
  }
  /// Makes the list, in which `together` shards at a time take turns. So they are complete at the same time, and one is
  /// stored by each thread; else all the others would wait while one stores the last.
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

/// Encodes a part whose elements are all there.
void EncodePart(const std::byte* elements, WaitingChunk* chunk, WaitingPart* part) {
  const std::size_t before = (part->open ? part->open->memory_size() : 0) + (part->value ? part->value->size() : 0);
  std::optional<Bytes> value;
  if (!chunk->codec->IsEmpty(elements)) {
    ScratchBuffer encoded;
    const ByteSpan bytes = chunk->codec->Encode(elements, &encoded.bytes());
    value.emplace(bytes.begin(), bytes.end());
  }
  part->value = std::move(value);
  part->open.reset();
  if (!std::exchange(part->encoded, true)) ++chunk->encoded_parts;
  chunk->bytes += (part->value ? part->value->size() : 0) - before;
}

/// Writes to a part without encoding it. True if it is complete now, and was not before.
bool WriteToOpen(const PartSource& source, const Shape& live, WaitingChunk* chunk, WaitingPart* part) {
  if (part->encoded) {
    const std::optional<ByteSpan> encoded = part->value ? std::optional<ByteSpan>(*part->value) : std::nullopt;
    auto reopened = std::make_unique<PartBuffer>(*chunk->codec, encoded, chunk->stock);
    reopened->Put(source);
    EncodePart(reopened->elements(), chunk, part);
    return false;
  }
  const std::size_t before = part->open ? part->open->memory_size() : 0;
  if (!part->open) part->open = std::make_unique<PartBuffer>(*chunk->codec, live, chunk->stock);
  const bool was_complete = part->open->complete();
  part->open->Put(source);
  chunk->bytes += part->open->memory_size() - before;
  return part->open->complete() && !was_complete;
}

}  // namespace

// --- writing ----------------------------------------------------------------------------------------------------

bool WriteRun::WriteShards(const Selection& selection, const Source& source) const {
  const ChunkRange range(store_.array().metadata().chunk_grid, selection);
  for (std::uint64_t begin = 0; begin < range.count();) {
    std::uint64_t end = begin;
    std::uint64_t bytes = 0;
    const std::uint64_t most = call_.progress ? ShardsTogether() : kShardsAtOnce;
    const auto room = [&](std::uint64_t parts) {
      return end == begin || (end - begin < most && parts < kPartsAtOnce && bytes < buffer_limit_ / 4);
    };
    for (std::uint64_t parts = 0; end < range.count() && room(parts); ++end) {
      const ChunkOverlap overlap = range.At(end);
      const auto codec = store_.CodecFor(overlap.encoded_shape);
      const std::uint64_t met = ChunkRange(codec->grid(), {overlap.first, overlap.count, selection.step}).count();
      parts += met;
      bytes += Product(codec->grid().grid_shape()) * sizeof(WaitingPart);
      if (!overlap.whole) bytes += met * codec->memory_size();
    }
    WriteShards(range, begin, end, selection, source);
    if (buffer_->bytes() > buffer_limit_) StoreShards(buffer_->TakeExcess(buffer_limit_ / 4 * 3));
    begin = end;
    if (!Proceeds(end, range.count())) return false;
  }
  return true;
}

/// To be called while no shard is held: what is called may use the array.
bool WriteRun::Proceeds(std::uint64_t done, std::uint64_t all) const {
  return !call_.progress || call_.progress(static_cast<double>(done) / static_cast<double>(all));
}

void WriteRun::WriteShards(const ChunkRange& range, std::uint64_t begin, std::uint64_t end, const Selection& selection,
                           const Source& source) const {
  Shards shards;
  for (std::uint64_t number = begin; number < end; ++number) {
    auto shard = std::make_unique<Shard>();
    shard->overlap = range.At(number);
    const ChunkOverlap& overlap = *shard->overlap;
    const std::string key = store_.array().ChunkKey(overlap.grid_index);
    shard->chunk = buffer_->Take(key);
    WaitingChunk& chunk = *shard->chunk;
    if (chunk.parts.empty()) {
      chunk.key = key;
      chunk.grid_index = overlap.grid_index;
      chunk.live = overlap.live.shape;
      chunk.codec = store_.CodecFor(overlap.encoded_shape);
      chunk.parts.resize(static_cast<std::size_t>(Product(chunk.codec->grid().grid_shape())));
      chunk.bytes += chunk.parts.size() * sizeof(WaitingPart);
    }
    shard->chunk.Keep(true);
    shard->parts.emplace(chunk.codec->grid(), Selection{overlap.first, overlap.count, selection.step});
    const std::uint64_t tasks = shard->parts->count();
    shards.Add(std::move(shard), tasks);
  }
  shards.MakeTasks(ShardsTogether());
  ParallelFor(shards.tasks.size(), {width_, call_.hook, {}}, [&](std::uint64_t task) {
    const Shards::Task& own = shards.tasks[static_cast<std::size_t>(task)];
    store_.AtChunk(own.shard->chunk->key, own.shard->overlap->grid_index, [&] {
      WriteShardPart(own.shard, own.number, selection, source);
      Done(own.shard, false);
    });
  });
}

void WriteRun::WriteShardPart(Shard* shard, std::uint64_t number, const Selection& selection,
                              const Source& source) const {
  WaitingChunk& chunk = *shard->chunk;
  const PartCodec& codec = *chunk.codec;
  const ChunkOverlap inner = shard->parts->At(number);
  Shape output = inner.output;
  for (std::size_t i = 0; i < output.size(); ++i) output[i] += shard->overlap->output[i];
  const PartSource part_source{inner.first,    inner.count,     selection.step, SourceAt(source, output),
                               source.strides, source.converter};
  const auto part_number = static_cast<std::size_t>(codec.PartNumber(inner.grid_index));
  WaitingPart& part = chunk.parts[part_number];
  const Shape live = chunk.LiveOf(inner.grid_index);
  // A part that is open although it is complete stays so: it is in the list of those that are ready.
  if (call_.defer || part.open || inner.count != live) {
    if (!WriteToOpen(part_source, live, &chunk, &part)) return;
    if (!call_.defer) return EncodePart(part.open->elements(), &chunk, &part);
    const std::lock_guard lock(shard->ready_mutex);
    chunk.ready.push_back(part_number);
    return;
  }
  if (codec.TakesAsItIs(part_source)) return EncodePart(part_source.data, &chunk, &part);
  ScratchBuffer elements(codec.memory_size());
  if (live != codec.part_shape()) codec.Fill(elements.span().data());
  codec.Copy(part_source, elements.span().data());
  EncodePart(elements.span().data(), &chunk, &part);
}

void WriteRun::Done(Shard* shard, bool store_incomplete) const {
  if (--shard->remaining > 0) return;
  if (!store_incomplete) {
    const std::size_t ready = shard->chunk->ready.size();
    const bool all = shard->chunk->encoded_parts + ready == shard->chunk->live_parts();
    if (ready > 0 && (all || ready >= kReadyPerThread * width_)) EncodeReady(&*shard->chunk);
  }
  if (store_incomplete || shard->chunk->encoded_parts == shard->chunk->live_parts()) {
    StoreShard(shard);
    shard->stored.reset();
    shard->chunk.Drop();
  } else {
    shard->chunk.Release();
  }
}

// --- storing ----------------------------------------------------------------------------------------------------

void WriteRun::StoreShard(Shard* shard) const {
  WaitingChunk& chunk = *shard->chunk;
  std::vector<std::optional<ByteSpan>> parts(chunk.parts.size());
  bool empty = true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const WaitingPart& part = chunk.parts[i];
    if (!part.encoded)
      parts[i] = shard->StoredPart(i);
    else if (part.value)
      parts[i] = *part.value;
    empty = empty && !parts[i];
  }
  if (empty) return store_.StoreValue(chunk.key, chunk.grid_index, *chunk.codec, std::nullopt);
  ScratchBuffer value;
  chunk.codec->shards()->Assemble(parts, &value.bytes());
  store_.StoreValue(chunk.key, chunk.grid_index, *chunk.codec, value.span());
}

void WriteRun::EncodeReady(WaitingChunk* chunk) const {
  const std::vector<std::size_t> ready = std::exchange(chunk->ready, {});
  ParallelFor(ready.size(), {width_, call_.hook, {}}, [&](std::uint64_t i) {
    WaitingPart& part = chunk->parts[ready[i]];
    EncodePart(part.open->elements(), chunk, &part);
  });
}

void WriteRun::CompletePart(Shard* shard, std::uint64_t task) const {
  WaitingChunk& chunk = *shard->chunk;
  if (shard->misses_parts) {
    std::call_once(shard->loaded, [&] {
      shard->stored = store_.LoadParts(chunk, [&](std::size_t i) {
        const WaitingPart& kept = chunk.parts[i];
        return !kept.encoded && !(kept.open && kept.open->complete());
      });
    });
  }
  if (shard->open.empty()) return;
  const std::uint64_t number = shard->open[static_cast<std::size_t>(task)];
  WaitingPart& part = chunk.parts[static_cast<std::size_t>(number)];
  if (!part.open->complete()) {
    const std::size_t before = part.open->memory_size();
    part.open->Complete(shard->StoredPart(number));
    chunk.bytes += part.open->memory_size() - before;
  }
  EncodePart(part.open->elements(), &chunk, &part);
}

void WriteRun::StoreShards(std::vector<WriteBuffer::Hold> chunks) const {
  Shards shards;
  for (WriteBuffer::Hold& chunk : chunks) {
    auto shard = std::make_unique<Shard>();
    shard->chunk = std::move(chunk);
    shard->chunk.Keep(false);
    for (std::size_t i = 0; i < shard->chunk->parts.size(); ++i) {
      if (shard->chunk->parts[i].open) shard->open.push_back(i);
    }
    const WaitingChunk& waiting = *shard->chunk;
    shard->misses_parts = waiting.encoded_parts + waiting.ready.size() < waiting.live_parts();
    shard->chunk->ready.clear();
    const std::uint64_t remaining = std::max<std::uint64_t>(shard->open.size(), 1);
    shards.Add(std::move(shard), remaining);
  }
  shards.MakeTasks(ShardsTogether());
  ParallelFor(shards.tasks.size(), {width_, call_.hook, {}}, [&](std::uint64_t task) {
    const Shards::Task& own = shards.tasks[static_cast<std::size_t>(task)];
    WaitingChunk& chunk = *own.shard->chunk;
    store_.AtChunk(chunk.key, chunk.grid_index, [&] {
      CompletePart(own.shard, own.number);
      Done(own.shard, true);
    });
  });
}

bool WriteRun::FlushShards() const {
  const std::vector<std::string> keys = buffer_->WaitingKeys();
  const std::size_t together = call_.progress ? ShardsTogether() : keys.size();
  for (std::size_t begin = 0; begin < keys.size();) {
    const std::size_t end = std::min(begin + together, keys.size());
    std::vector<WriteBuffer::Hold> chunks;
    for (; begin < end; ++begin) {
      if (auto chunk = buffer_->TakeWaiting(keys[begin])) chunks.push_back(std::move(chunk));
    }
    StoreShards(std::move(chunks));
    if (!Proceeds(end, keys.size())) return false;
  }
  return true;
}

}  // namespace zarr
