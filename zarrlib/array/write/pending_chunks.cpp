// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/pending_chunks.h"

#include <algorithm>
#include <utility>

#include "zarrlib/base/await.h"

namespace zarr {

std::uint64_t PendingChunk::live_inner_chunks() const {
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < live.size(); ++i) count *= (live[i] - 1) / codec->inner_chunk_shape()[i] + 1;
  return count;
}

Shape PendingChunk::GetLiveShape(const Shape& inner_index) const {
  Shape shape = codec->inner_chunk_shape();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::uint64_t start = inner_index[i] * shape[i];
    shape[i] = start < live[i] ? std::min(shape[i], live[i] - start) : 0;
  }
  return shape;
}

void PendingChunk::AdoptLive(const Shape& shape) {
  std::vector<Shape> before(inner_chunks.size());
  ForEachInnerChunk([&](std::size_t number, const Shape& inner_live) { before[number] = inner_live; });
  live = shape;
  ForEachInnerChunk([&](std::size_t number, const Shape& inner_live) {
    if (inner_live != before[number]) Restrict(&inner_chunks[number], GetSmaller(inner_live, before[number]));
  });
}

void PendingChunk::ForEachInnerChunk(const std::function<void(std::size_t, const Shape&)>& use) const {
  Shape index(live.size(), 0);
  do {
    use(static_cast<std::size_t>(codec->GetInnerChunkNumber(index)), GetLiveShape(index));
  } while (AdvanceIndex(codec->grid().grid_shape(), &index));
}

void PendingChunk::Restrict(PendingInnerChunk* inner_chunk, const Shape& kept) {
  if (inner_chunk->encoded) {
    const auto encoded = inner_chunk->value ? std::optional<ByteSpan>(*inner_chunk->value) : std::nullopt;
    inner_chunk->open = std::make_unique<PartialChunk>(*codec, encoded, stock);
    inner_chunk->encoded = false;
    inner_chunk->value.reset();
    --encoded_inner_chunks;
  }
  if (inner_chunk->open) inner_chunk->open->Restrict(kept);
}

// --- one chunk --------------------------------------------------------------------------------------------------

PendingChunks::Lease::Lease(Lease&& other) noexcept
    : buffer_(other.buffer_),
      chunk_(std::move(other.chunk_)),
      keep_(other.keep_),
      written_(other.written_),
      exceptions_(other.exceptions_) {}

PendingChunks::Lease& PendingChunks::Lease::operator=(Lease&& other) noexcept {
  Release();
  buffer_ = other.buffer_;
  chunk_ = std::move(other.chunk_);
  keep_ = other.keep_;
  written_ = other.written_;
  exceptions_ = other.exceptions_;
  return *this;
}

PendingChunks::Lease::~Lease() {
  if (chunk_ && std::uncaught_exceptions() > exceptions_) buffer_->Lose();
  Release();
}

void PendingChunks::Lease::Release() {
  if (const auto chunk = std::exchange(chunk_, nullptr)) buffer_->Release(chunk, keep_, written_);
}

PendingChunks::Lease PendingChunks::Take(const std::string& key) {
  std::unique_lock lock(mutex_);
  while (true) {
    auto found = chunks_.find(key);
    if (found == chunks_.end()) {
      auto made = std::make_shared<PendingChunk>();
      made->key = key;
      made->stock = &stock_;
      found = chunks_.emplace(key, std::move(made)).first;
    }
    const std::shared_ptr<PendingChunk>& chunk = found->second;
    if (!chunk->leased_) {
      chunk->leased_ = true;
      Leave(chunk.get());
      return {this, chunk};
    }
    AwaitChange(&released_, &lock);
  }
}

PendingChunks::Lease PendingChunks::TakePending(const std::string& key) {
  return TakeIfPending(key, false);
}

PendingChunks::Lease PendingChunks::TakeToRead(const std::string& key) {
  return TakeIfPending(key, true);
}

PendingChunks::Lease PendingChunks::TakeIfPending(const std::string& key, bool to_read) {
  std::unique_lock lock(mutex_);
  while (true) {
    const auto found = chunks_.find(key);
    if (found == chunks_.end()) return {};
    if (!found->second->leased_) {
      found->second->leased_ = true;
      found->second->is_read_ = to_read;
      readers_ += to_read;
      Leave(found->second.get());
      return {this, found->second};
    }
    AwaitChange(&released_, &lock);
  }
}

std::vector<PendingChunks::Lease> PendingChunks::TakeExcess(std::size_t limit) {
  std::vector<Lease> excess;
  const std::lock_guard lock(mutex_);
  std::size_t left = bytes_.load();
  if (left > limit) excess.reserve(order_.size());  // so that adding a leased chunk below cannot fail
  while (left > limit && !order_.empty()) {
    const auto& chunk = chunks_.at(order_.front()->key);
    left -= chunk->counted_;
    chunk->leased_ = true;
    Leave(chunk.get());
    excess.emplace_back(this, chunk);
  }
  return excess;
}

std::vector<PendingChunks::Lease> PendingChunks::TakeComplete(std::size_t least) {
  std::vector<Lease> complete;
  const std::lock_guard lock(mutex_);
  if (complete_ < least) return complete;
  complete.reserve(complete_);
  for (auto place = order_.begin(); place != order_.end();) {
    PendingChunk* const pending = *place++;
    if (!pending->complete_) continue;
    pending->leased_ = true;
    Leave(pending);
    complete.emplace_back(this, chunks_.at(pending->key));
  }
  return complete;
}

void PendingChunks::Leave(PendingChunk* chunk) {
  if (!chunk->place_.empty()) return;
  chunk->place_.splice(chunk->place_.begin(), order_, chunk->in_order_);
  complete_ -= chunk->complete_;
}

void PendingChunks::Release(const std::shared_ptr<PendingChunk>& chunk, bool keep, bool written) {
  const std::lock_guard lock(mutex_);
  chunk->leased_ = false;
  readers_ -= std::exchange(chunk->is_read_, false);
  keep = keep && !closed_;
  const std::size_t now = keep ? chunk->bytes.load() : 0;
  bytes_ += now - chunk->counted_;
  chunk->counted_ = now;
  if (keep) {
    chunk->in_order_ = chunk->place_.begin();
    complete_ += chunk->complete_;
    order_.splice(written ? order_.end() : order_.begin(), chunk->place_);
  } else {
    ++left_;
    const auto found = chunks_.find(chunk->key);
    if (found != chunks_.end() && found->second == chunk) chunks_.erase(found);
  }
  released_.notify_all();
}

// --- all chunks -------------------------------------------------------------------------------------------------

std::vector<std::string> PendingChunks::GetPendingKeys() {
  std::vector<const PendingChunk*> chunks;
  std::unique_lock lock(mutex_);
  while (readers_ > 0) AwaitChange(&released_, &lock);
  chunks.reserve(chunks_.size());
  for (const PendingChunk* chunk : order_) chunks.push_back(chunk);
  std::sort(chunks.begin(), chunks.end(), [](const PendingChunk* a, const PendingChunk* b) {
    return std::lexicographical_compare(a->grid_index.begin(), a->grid_index.end(), b->grid_index.begin(),
                                        b->grid_index.end());
  });
  std::vector<std::string> keys;
  for (const PendingChunk* chunk : chunks) keys.push_back(chunk->key);
  return keys;
}

bool PendingChunks::empty() const {
  const std::lock_guard lock(mutex_);
  return chunks_.empty();
}

bool PendingChunks::lost() const {
  const std::lock_guard lock(mutex_);
  return lost_;
}

void PendingChunks::Close() {
  const std::lock_guard lock(mutex_);
  DropAll();
}

void PendingChunks::Lose() {
  const std::lock_guard lock(mutex_);
  lost_ = true;
  DropAll();
}

void PendingChunks::DropAll() {
  closed_ = true;
  ++left_;
  while (!order_.empty()) {
    const auto chunk = chunks_.extract(order_.front()->key).mapped();
    Leave(chunk.get());
    bytes_ -= std::exchange(chunk->counted_, 0);
  }
}

}  // namespace zarr
