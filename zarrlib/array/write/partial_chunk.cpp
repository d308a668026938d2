// SPDX-License-Identifier: MIT
#include "zarrlib/array/write/partial_chunk.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace zarr {

Bytes BufferStock::Take(std::size_t size) {
  {
    const std::lock_guard lock(mutex_);
    const auto fits = [size](const Bytes& bytes) { return bytes.size() == size; };
    const auto found = std::find_if(buffers_.rbegin(), buffers_.rend(), fits);
    if (found != buffers_.rend()) {
      std::swap(*found, buffers_.back());
      Bytes bytes = std::move(buffers_.back());
      buffers_.pop_back();
      size_ -= size;
      all_size_ -= size;
      return bytes;
    }
  }
  return Bytes(size);
}

void BufferStock::Give(Bytes bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes.empty() || buffers_.size() == kMaxBuffers || size_ + bytes.size() > kMaxSize) return;
  if (all_size_ + bytes.size() > kMaxSizeOfAll) return;
  size_ += bytes.size();
  all_size_ += bytes.size();
  buffers_.push_back(std::move(bytes));
}

PartialChunk::PartialChunk(const ChunkEncoder& codec, BufferStock* stock)
    : codec_(codec), stock_(stock), mask_(codec.element_count(), false) {
  if (codec.variable()) {
    views_.resize(codec.element_count());
  } else {
    bytes_ = stock->Take(codec.memory_size());
  }
}

PartialChunk::PartialChunk(const ChunkEncoder& codec, const Shape& live, BufferStock* stock)
    : PartialChunk(codec, stock) {
  if (live == codec.inner_chunk_shape()) return;
  codec.Fill(data());
  mask_.MarkAllBut(MakeMaskOf(live));
}

PartialChunk::PartialChunk(const ChunkEncoder& codec, std::optional<ByteSpan> encoded, BufferStock* stock)
    : PartialChunk(codec, stock) {
  Complete(encoded);
  mask_ = ElementMask(codec.element_count(), true);
}

ElementMask PartialChunk::MakeMaskOf(const Shape& live) const {
  ElementMask inside(codec_.element_count(), false);
  inside.Mark(Shape(live.size(), 0), live, Shape(live.size(), 1), codec_.element_strides());
  return inside;
}

void PartialChunk::Restrict(const Shape& live) {
  mask_.Intersect(MakeMaskOf(live));
}

std::byte* PartialChunk::data() {
  return codec_.variable() ? reinterpret_cast<std::byte*>(views_.data()) : bytes_.data();
}

const std::byte* PartialChunk::elements() const {
  return codec_.variable() ? reinterpret_cast<const std::byte*>(views_.data()) : bytes_.data();
}

std::size_t PartialChunk::memory_size() const {
  return codec_.memory_size() + mask_.memory_size() + text_size_;
}

void PartialChunk::Put(const RegionElements& source) {
  mask_.Mark(source.first, source.count, source.step, codec_.element_strides());
  if (!codec_.variable()) return codec_.Copy(source, data());
  std::vector<std::string_view> elements(codec_.element_count());
  codec_.Copy(source, reinterpret_cast<std::byte*>(elements.data()));
  ElementMask which(elements.size(), false);
  which.Mark(source.first, source.count, source.step, codec_.element_strides());
  TakeTexts(elements, which);
}

void PartialChunk::TakeTexts(const std::vector<std::string_view>& elements, const ElementMask& which) {
  std::size_t size = 0;
  which.ForEachMarked([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) size += elements[i].size();
  });
  Bytes& text = texts_.emplace_back(size);
  std::size_t at = 0;
  which.ForEachMarked([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!elements[i].empty()) std::memcpy(text.data() + at, elements[i].data(), elements[i].size());
      const bool is_missing = elements[i].data() == kMissingText;
      views_[i] = is_missing ? elements[i] : AsText(ByteSpan(text).subspan(at, elements[i].size()));
      at += elements[i].size();
    }
  });
  text_size_ += size;
}

void PartialChunk::CopyWritten(const Shape& first, const Shape& count, const Shape& step,
                               const Destination& destination) const {
  const std::size_t rank = first.size();
  const std::size_t item = codec_.memory_size() / codec_.element_count();
  std::size_t begin = 0;
  std::size_t run_axis = rank;  // of neighbours in memory
  for (std::size_t i = 0; i < rank; ++i) {
    begin += static_cast<std::size_t>(first[i]) * static_cast<std::size_t>(codec_.element_strides()[i]);
    if (codec_.element_strides()[i] == 1 && step[i] == 1 && count[i] > 1) run_axis = i;
  }
  Shape rows = count;
  if (run_axis < rank) rows[run_axis] = 1;
  const std::size_t length = run_axis < rank ? static_cast<std::size_t>(count[run_axis]) : 1;
  const std::ptrdiff_t stride = run_axis < rank ? destination.strides[run_axis] : 0;
  Shape index(rank, 0);
  do {
    std::size_t at = begin;
    std::byte* row = destination.data;
    for (std::size_t i = 0; i < rank; ++i) {
      at += static_cast<std::size_t>(index[i] * step[i]) * static_cast<std::size_t>(codec_.element_strides()[i]);
      row += static_cast<std::ptrdiff_t>(index[i]) * destination.strides[i];
    }
    mask_.ForEachMarkedIn(at, at + length, [&](std::size_t from, std::size_t to) {
      std::byte* data = row + static_cast<std::ptrdiff_t>(from - at) * stride;
      StridedCopy(bytes_.data() + from * item, {static_cast<std::ptrdiff_t>(item)}, {to - from}, item,
                  {data, {stride}, destination.converter});
    });
  } while (AdvanceIndex(rows, &index));
}

void PartialChunk::Complete(std::optional<ByteSpan> stored) {
  if (codec_.variable()) {
    VariableChunk chunk;
    chunk.for_update = true;
    std::vector<std::string_view> elements(codec_.element_count());
    codec_.Fill(reinterpret_cast<std::byte*>(elements.data()));
    if (stored) {
      codec_.DecodeVariable(*stored, &chunk);
      elements = chunk.elements;
    }
    ElementMask gaps(elements.size(), false);
    gaps.MarkAllBut(mask_);
    TakeTexts(elements, gaps);
  } else if (codec_.memory_size() > 0) {
    const std::size_t item = codec_.memory_size() / codec_.element_count();
    ScratchBuffer elements(codec_.memory_size());
    stored ? codec_.Decode(*stored, elements.span().data()) : codec_.Fill(elements.span().data());
    mask_.ForEachGap([&](std::size_t begin, std::size_t end) {
      std::memcpy(bytes_.data() + begin * item, elements.span().data() + begin * item, (end - begin) * item);
    });
  }
}

}  // namespace zarr
