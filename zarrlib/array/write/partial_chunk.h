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

/// Memory of parts that have been stored, for the next ones: what comes and goes all the time, in chunks of a megabyte
/// and from several threads, leaves holes in the heap that take as much again. All stocks of the process together are
/// bounded. Thread-safe.
class BufferStock {
 public:
  BufferStock() { buffers_.reserve(kMaxBuffers); }  // giving must not throw
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

/// The elements of a part of a chunk that were written, and which ones those are. What is beyond the array's end counts
/// as written, with the fill value.
class PartialChunk {
 public:
  /// Nothing is written yet. `live` is the shape of what the array has of the part.
  PartialChunk(const ChunkEncoder& codec, const Shape& live, BufferStock* stock);
  /// All is written: what `encoded` holds, or the fill value.
  PartialChunk(const ChunkEncoder& codec, std::optional<ByteSpan> encoded, BufferStock* stock);
  ~PartialChunk() { stock_->Give(std::move(bytes_)); }
  PartialChunk(const PartialChunk&) = delete;
  PartialChunk& operator=(const PartialChunk&) = delete;

  /// Copies elements, and the text of those of variable length.
  void Put(const RegionElements& source);
  bool complete() const { return mask_.all(); }
  /// Takes what was not written from what is stored, or from the fill value.
  void Complete(std::optional<ByteSpan> stored);
  const std::byte* elements() const;
  /// In bytes, the text of elements included.
  std::size_t memory_size() const;

 private:
  PartialChunk(const ChunkEncoder& codec, BufferStock* stock);
  std::byte* data();
  /// Takes the elements that `which` names from `elements`.
  void TakeTexts(const std::vector<std::string_view>& elements, const ElementMask& which);

  const ChunkEncoder& codec_;
  BufferStock* const stock_;
  ElementMask mask_;
  Bytes bytes_;                          // of types of fixed size
  std::vector<std::string_view> views_;  // of the others, into `texts_` or the codec's fill value
  std::vector<Bytes> texts_;             // only added to: what is overwritten stays until the part is stored
  std::size_t text_size_ = 0;
};

}  // namespace zarr
