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

/// Keeps the buffers of stored chunks for the next chunks. Buffers of about a megabyte that several threads allocate
/// and free all the time would fragment the heap, which then takes twice the memory. The total size of all stocks of
/// the process is bounded. Thread-safe.
class BufferStock {
 public:
  BufferStock() { buffers_.reserve(kMaxBuffers); }  // so that Give does not allocate, and cannot throw
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

/// The elements of an inner chunk (or chunk) that have been written so far. Elements past the end of the array count as
/// written, with the fill value.
class PartialChunk {
 public:
  /// Makes a chunk without written elements. `live` is the shape of its region inside the array.
  PartialChunk(const ChunkEncoder& codec, const Shape& live, BufferStock* stock);
  /// Makes a chunk in which every element is written: with the elements of `encoded`, or with the fill value.
  PartialChunk(const ChunkEncoder& codec, std::optional<ByteSpan> encoded, BufferStock* stock);
  ~PartialChunk() { stock_->Give(std::move(bytes_)); }
  PartialChunk(const PartialChunk&) = delete;
  PartialChunk& operator=(const PartialChunk&) = delete;

  /// Copies elements, including the text of variable-length elements.
  void Put(const RegionElements& source);
  bool complete() const { return mask_.all(); }
  /// Marks elements outside `live`, a region from the origin on, as not written.
  void Restrict(const Shape& live);
  /// Fills in unwritten elements from the stored chunk, or with the fill value. They still count as unwritten, so that
  /// this may be repeated with another stored chunk.
  void Complete(std::optional<ByteSpan> stored);
  /// Copies those of the selected elements that have been written, which must be of a fixed size. `destination` is that
  /// of the first selected element.
  void CopyWritten(const Shape& first, const Shape& count, const Shape& step, const Destination& destination) const;
  const std::byte* elements() const;
  /// Returns the memory in bytes, including the text of the elements.
  std::size_t memory_size() const;

 private:
  PartialChunk(const ChunkEncoder& codec, BufferStock* stock);
  std::byte* data();
  /// Returns the elements of a region from the origin on.
  ElementMask MakeMaskOf(const Shape& live) const;
  /// Copies the text of the elements that are in the set `which`.
  void TakeTexts(const std::vector<std::string_view>& elements, const ElementMask& which);

  const ChunkEncoder& codec_;
  BufferStock* const stock_;
  ElementMask mask_;
  Bytes bytes_;                          // the elements, if they have a fixed size
  std::vector<std::string_view> views_;  // the elements otherwise: views of `texts_` or of the codec's fill value
  std::vector<Bytes> texts_;             // text that was overwritten stays until the chunk is stored
  std::size_t text_size_ = 0;
};

}  // namespace zarr
