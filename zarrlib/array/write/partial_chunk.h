// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "zarrlib/array/write/chunk_encoder.h"
#include "zarrlib/array/write/element_mask.h"

namespace zarr {

/// Keeps the buffers of chunks that have been stored for the next chunks. Buffers of about a megabyte that several
/// threads take and give back all the time leave holes in the heap, which then takes twice the memory. The stocks of
/// the process together are bounded. Thread-safe.
class BufferStock {
 public:
  BufferStock() { buffers_.reserve(kMaxBuffers); }  // so that Give need not allocate, and cannot throw
  ~BufferStock() { all_size_ -= size_; }
  BufferStock(const BufferStock&) = delete;
  BufferStock& operator=(const BufferStock&) = delete;
  Bytes Take(std::size_t size);
  void Give(Bytes bytes);

 private:
  static constexpr std::size_t kMaxBuffers = 64;
  static constexpr std::size_t kMaxSize = std::size_t{16} << 20;
  static constexpr std::size_t kMaxSizeOfAll = std::size_t{64} << 20;
  static inline std::atomic<std::size_t> all_size_{0};

  std::mutex mutex_;
  std::vector<Bytes> buffers_;
  std::size_t size_ = 0;
};

/// The elements of an inner chunk (or chunk) that were written so far. Elements beyond the end of the array count as
/// written, with the fill value.
class PartialChunk {
 public:
  /// Makes a chunk in which nothing is written yet. `live` is the shape of its region inside the array.
  PartialChunk(const ChunkEncoder& codec, const Shape& live, BufferStock* stock);
  /// Makes a chunk in which every element is written: with those of `encoded`, or with the fill value.
  PartialChunk(const ChunkEncoder& codec, std::optional<ByteSpan> encoded, BufferStock* stock);
  ~PartialChunk() { stock_->Give(std::move(bytes_)); }
  PartialChunk(const PartialChunk&) = delete;
  PartialChunk& operator=(const PartialChunk&) = delete;

  /// Copies elements, and the text of elements of variable length.
  void Put(const RegionElements& source);
  bool complete() const { return mask_.all(); }
  /// Forgets that elements outside of `live`, a region from the origin on, were written.
  void Restrict(const Shape& live);
  /// Takes the elements that were not written from the stored chunk, or from the fill value.
  void Complete(std::optional<ByteSpan> stored);
  const std::byte* elements() const;
  /// In bytes, with the text of the elements.
  std::size_t memory_size() const;

 private:
  PartialChunk(const ChunkEncoder& codec, BufferStock* stock);
  std::byte* data();
  /// The elements of a region from the origin on.
  ElementMask MakeMaskOf(const Shape& live) const;
  /// Copies the text of the elements that are in the set `which`.
  void TakeTexts(const std::vector<std::string_view>& elements, const ElementMask& which);

  const ChunkEncoder& codec_;
  BufferStock* const stock_;
  ElementMask mask_;
  Bytes bytes_;                          // the elements, if they have a fixed size
  std::vector<std::string_view> views_;  // the elements, if not: views of `texts_` or of the codec's fill value
  std::vector<Bytes> texts_;             // text that was overwritten stays until the chunk is stored
  std::size_t text_size_ = 0;
};

}  // namespace zarr
