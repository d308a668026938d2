// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/write_operation.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace zarr {
namespace {

/// The memory that requests in flight may take, in addition to the memory for encoding.
constexpr std::uint64_t kBytesInFlight = std::uint64_t{256} << 20;

/// Returns the number of chunks that may be in flight at once, if an element takes `item_size` bytes.
std::uint64_t GetAffordableChunks(const Array& array, std::uint64_t item_size) {
  const auto bytes =
      MultiplyChecked(ComputeCheckedProduct(array.metadata().chunk_grid.max_chunk_shape()).value_or(UINT64_MAX),
                      std::max<std::uint64_t>(item_size, 1));
  return kBytesInFlight / std::max<std::uint64_t>(bytes.value_or(UINT64_MAX), 1);
}

std::size_t ChooseWidth(const Array& array, std::size_t threads) {
  const std::size_t width = threads > 0 ? threads : GetCpuCount();
  const std::size_t concurrency = array.store().info().concurrency;
  if (concurrency <= width) return width;
  return std::max<std::size_t>(
      width, std::min<std::uint64_t>(concurrency,
                                     GetAffordableChunks(array, std::max<std::size_t>(array.data_type().size, 16))));
}

}  // namespace

WriteOperation::WriteOperation(const ChunkWriter& store, PendingChunks* buffer, std::size_t buffer_limit,
                               const WriteOptions& options)
    : store_(store),
      buffer_(buffer),
      buffer_limit_(buffer_limit),
      options_(options),
      width_(ChooseWidth(store.array(), options.threads)) {}

ExecutorOptions WriteOperation::MakeOptionsForShare(double from, double to) const {
  ExecutorOptions options{width_, options_.hook, {}};
  if (options_.progress) {
    options.progress = [this, from, to](double share) { return options_.progress(std::lerp(from, to, share)); };
  }
  return options;
}

std::size_t WriteOperation::CountShardsTogether() const {
  const DataType& type = store_.array().data_type();
  return std::clamp<std::uint64_t>(
      GetAffordableChunks(store_.array(), type.variable() ? sizeof(std::string_view) : type.size), 1, width_);
}

bool WriteOperation::WriteChunks(const Selection& selection, const ElementSource& source) const {
  const ChunkRange range(store_.array().metadata().chunk_grid, selection);
  const bool done = ParallelFor(range.count(), MakeOptionsForShare(0, 1), [&](std::uint64_t number) {
    WriteChunk(range, number, selection, source);
    SaveExcess(range.count() > 1);
  });
  return done;
}

void WriteOperation::WriteChunk(const ChunkRange& range, std::uint64_t number, const Selection& selection,
                                const ElementSource& source) const {
  const ChunkOverlap overlap = range.At(number);
  const std::string key = store_.array().MakeChunkKey(overlap.grid_index);
  store_.RunAtChunk(key, overlap.grid_index, [&] {
    const RegionElements elements{overlap.first,  overlap.count,   selection.step, GetSource(source, overlap.output),
                                  source.strides, source.converter};
    PendingChunks::Lease chunk = buffer_->Take(key);
    if (overlap.whole && !options_.defer)
      return WriteWhole(overlap, *store_.GetEncoder(overlap.encoded_shape), elements, key);
    if (chunk->inner_chunks.empty()) {
      chunk->grid_index = overlap.grid_index;
      chunk->live = overlap.live.shape;
      chunk->codec = store_.GetEncoder(overlap.encoded_shape);
      chunk->inner_chunks.resize(1);
      chunk->inner_chunks[0].open = std::make_unique<PartialChunk>(*chunk->codec, chunk->live, chunk->stock);
    }
    PartialChunk& buffer = *chunk->inner_chunks[0].open;
    buffer.Put(elements);
    if (buffer.complete() && !options_.defer) return store_.PutPending(*chunk);
    chunk->bytes = buffer.memory_size();
    chunk.Keep(true, buffer.complete());
  });
}

void WriteOperation::WriteWhole(const ChunkOverlap& overlap, const ChunkEncoder& codec, const RegionElements& source,
                                const std::string& key) const {
  const Shape& live = overlap.live.shape;
  if (codec.TakesAsItIs(source)) return store_.PutElements(key, overlap.grid_index, live, codec, source.data);
  ScratchBuffer elements(codec.memory_size());
  if (live != overlap.encoded_shape) codec.Fill(elements.span().data());
  codec.Copy(source, elements.span().data());
  store_.PutElements(key, overlap.grid_index, live, codec, elements.span().data());
}

void WriteOperation::SaveExcess(bool alone) const {
  // One thread stores one excess chunk; if no other thread is busy, all threads store many at once.
  const ExecutorOptions options{alone ? 1 : width_, options_.hook, {}};
  if (options_.defer) SaveAll(buffer_->TakeComplete(kReadyPerThread * width_), options);
  if (buffer_->bytes() <= buffer_limit_) return;
  SaveAll(buffer_->TakeExcess(alone ? buffer_limit_ : buffer_limit_ / 4 * 3), options);
}

void WriteOperation::SaveAll(std::vector<PendingChunks::Lease> chunks, const ExecutorOptions& options) const {
  ParallelFor(chunks.size(), options, [&](std::uint64_t i) {
    PendingChunk& chunk = *chunks[i];
    store_.RunAtChunk(chunk.key, chunk.grid_index, [&] { store_.PutPending(chunk); });
    chunks[i].Release();
  });
}

bool WriteOperation::FlushChunks() const {
  const std::vector<std::string> keys = buffer_->GetPendingKeys();
  return ParallelFor(keys.size(), MakeOptionsForShare(0, 1), [&](std::uint64_t i) {
    PendingChunks::Lease chunk = buffer_->TakePending(keys[i]);
    if (!chunk || chunk->inner_chunks.empty()) return;
    store_.RunAtChunk(chunk->key, chunk->grid_index, [&] { store_.PutPending(*chunk); });
  });
}

}  // namespace zarr
