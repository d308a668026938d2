// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/chunk_writer.h"

#include <algorithm>
#include <utility>

#include "zarrlib/array/read/stored_value.h"

namespace zarr {

ChunkWriter::ChunkWriter(std::shared_ptr<const Array> array, const WriterOptions& options)
    : array_(std::move(array)), options_(options) {
  if (const auto shape = array_->metadata().chunk_grid.uniform_chunk_shape()) {
    uniform_ = std::make_shared<ChunkEncoder>(array_->ResolveFor(*shape), options_.store_empty_chunks);
  }
}

std::shared_ptr<const ChunkEncoder> ChunkWriter::GetEncoder(const Shape& encoded_shape) const {
  constexpr std::size_t kKept = 64;
  if (uniform_) return uniform_;
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(codecs_.begin(), codecs_.end(), [&](const auto& codec) {
    return codec->pipeline().decoded().shape == encoded_shape;
  });
  if (found != codecs_.end()) return *found;
  if (codecs_.size() >= kKept) codecs_.erase(codecs_.begin());
  codecs_.push_back(std::make_shared<ChunkEncoder>(array_->ResolveFor(encoded_shape), options_.store_empty_chunks));
  return codecs_.back();
}

std::optional<SplitShard> ChunkWriter::LoadInnerChunks(const PendingChunk& chunk,
                                                       const InnerChunkFilter& wanted) const {
  constexpr int kTries = 5;
  for (int i = 0; i < kTries; ++i) {
    try {
      const StoredValue source(array_->store(), chunk.key);
      return chunk.codec->shards()->Split(source, wanted);
    } catch (const ValueChanged&) {
      // Another process replaced the shard after its index was read.
    }
  }
  throw Error(ErrorKind::kIo, array_->store().name(), chunk.key, "", "the value changes all the time while it is read");
}

void ChunkWriter::PutElements(const std::string& key, const Shape& grid_index, const ChunkEncoder& codec,
                              const std::byte* elements) const {
  if (codec.IsEmpty(elements)) return PutValue(key, grid_index, codec, std::nullopt);
  ScratchBuffer encoded;
  PutValue(key, grid_index, codec, codec.Encode(elements, &encoded.bytes()));
}

void ChunkWriter::PutValue(const std::string& key, const Shape& grid_index, const ChunkEncoder& codec,
                           std::optional<ByteSpan> value) const {
  Store& store = *array_->shared_store();
  if (!value) {
    if (!options_.only_absent) store.Erase(key);
  } else if (options_.only_absent) {
    store.SetIfAbsent(key, *value);
  } else {
    store.Set(key, *value);
  }
  array_->ForgetChunk(grid_index, codec.pipeline());
}

void ChunkWriter::PutPending(PendingChunk& chunk) const {
  PartialChunk& partial = *chunk.inner_chunks[0].open;
  if (!partial.complete()) {
    ScratchBuffer stored;
    const bool found = Load(chunk.key, &stored.bytes(), GetLongestStored(chunk.codec->pipeline()));
    partial.Complete(found ? std::optional<ByteSpan>(stored.span()) : std::nullopt);
  }
  PutElements(chunk.key, chunk.grid_index, *chunk.codec, partial.elements());
}

}  // namespace zarr
