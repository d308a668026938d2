// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/chunk_writer.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "zarrlib/array/read/stored_value.h"
#include "zarrlib/store/repeated_change.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

ChunkWriter::ChunkWriter(std::shared_ptr<const Array> array, const WriterOptions& options)
    : array_(std::move(array)), options_(options), locks_(*array_, !options.locked_by_caller, !options.refuse_partial) {
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
  return ReadUnchanged(
      array_->store(), chunk.key,
      [&](const StoredValue& source) { return chunk.codec->shards()->Split(source, wanted); }, Freshness::kNow);
}

void ChunkWriter::CheckMayMerge() const {
  if (!options_.refuse_partial) return;
  throw Error(ErrorKind::kUnsupported,
              "only a part of the chunk was written, and chunks that have to be read back are refused");
}

void ChunkWriter::PutElements(const std::string& key, const Shape& grid_index, const Shape& live,
                              const ChunkEncoder& codec, const std::byte* elements) const {
  ScratchBuffer encoded;
  std::optional<ByteSpan> value;
  if (!codec.IsEmpty(elements)) value = codec.Encode(elements, &encoded.bytes());
  if (PutWhole(key, grid_index, live, codec, value)) return;
  const ChunkLock lock = Lock(key, grid_index, live);
  BufferStock stock;
  PartialChunk partial(codec, live, &stock);
  const Shape origin(live.size(), 0);
  partial.Put({origin, live, Shape(live.size(), 1), elements, codec.byte_strides(), nullptr});
  partial.Restrict(GetSmaller(live, lock.live));
  PutMerged(key, grid_index, codec, &partial);
}

bool ChunkWriter::PutWhole(const std::string& key, const Shape& grid_index, const Shape& live,
                           const ChunkEncoder& codec, std::optional<ByteSpan> value) const {
  const ChunkLock lock = LockWhole(key, grid_index, live);
  if (lock.live != live || (lock.is_first && !value)) return false;
  try {
    PutValue(key, grid_index, codec, value);
    return true;
  } catch (const ChangedMeanwhile&) {
    if (!lock.is_first) throw;
    return false;
  }
}

void ChunkWriter::PutValue(const std::string& key, const Shape& grid_index, const ChunkEncoder& codec,
                           std::optional<ByteSpan> value) const {
  try {
    StoreValue(key, value);
  } catch (...) {
    array_->ForgetChunk(grid_index, codec.pipeline());  // the store may still have written it
    throw;
  }
  array_->ForgetChunk(grid_index, codec.pipeline());
}

void ChunkWriter::StoreValue(const std::string& key, std::optional<ByteSpan> value) const {
  Store& store = *array_->shared_store();
  if (!value) {
    if (!options_.only_absent) store.Erase(key);
  } else if (options_.only_absent) {
    store.Write(key, *value, WriteIf::kAbsent);
  } else {
    store.Set(key, *value);
  }
}

void ChunkWriter::PutPending(PendingChunk& chunk) const {
  PartialChunk& partial = *chunk.inner_chunks[0].open;
  if (partial.complete()) {
    return PutElements(chunk.key, chunk.grid_index, chunk.live, *chunk.codec, partial.elements());
  }
  const ChunkLock lock = Lock(chunk.key, chunk.grid_index, chunk.live);
  if (lock.live != chunk.live) partial.Restrict(GetSmaller(chunk.live, lock.live));
  PutMerged(chunk.key, chunk.grid_index, *chunk.codec, &partial);
}

void ChunkWriter::PutMerged(const std::string& key, const Shape& grid_index, const ChunkEncoder& codec,
                            PartialChunk* partial) const {
  if (!partial->complete()) CheckMayMerge();
  RepeatWhileOutrun([&] {
    bool is_there = false;
    if (!partial->complete()) {
      ScratchBuffer stored;
      is_there = Load(key, &stored.bytes(), GetLongestStored(codec.pipeline()));
      partial->Complete(is_there ? std::optional<ByteSpan>(stored.span()) : std::nullopt);
    }
    ScratchBuffer encoded;
    std::optional<ByteSpan> value;
    if (!codec.IsEmpty(partial->elements()) || KeepsEmpty(is_there))
      value = codec.Encode(partial->elements(), &encoded.bytes());
    if (value || is_there || !HasConditions(array_->store())) PutValue(key, grid_index, codec, value);
  });
}

bool ChunkWriter::KeepsEmpty(bool was_read) const {
  return was_read && HasConditions(array_->store());
}

}  // namespace zarr
