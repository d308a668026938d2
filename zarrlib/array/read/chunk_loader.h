// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <semaphore>
#include <string>
#include <utility>

#include "zarrlib/array/array.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/base/once.h"

namespace zarr {

/// The elements of one chunk (or inner chunk) that a read wants, and where they go.
struct ChunkRegion {
  Shape first;  ///< The first element, counted from the chunk's origin.
  Shape count;
  Shape step;
  bool whole = false;       ///< Whether these are all elements of the chunk that are inside the array.
  Destination destination;  ///< `data` points to the place of the first element.
};

/// The longest stored value that is read for a chunk: the longest that encoding can give, and room for bytes that may
/// follow it. UINT64_MAX if only the content tells.
std::uint64_t GetLongestStored(const InnerChunkDecoder& decoder);
/// Throws Error(corrupt) if `stored`, the size of a stored chunk, is larger than that.
void CheckStoredSize(const InnerChunkDecoder& decoder, std::uint64_t stored);

/// Brings the chunks of one read from stored bytes, or from the cache, to the destination. Thread-safe.
class ChunkLoader {
 public:
  /// `window` is the number of elements that the whole read takes.
  ChunkLoader(const Array& array, const ReadOptions& options, std::uint64_t window);

  /// Copies a region from the cache. Returns false if the chunk is not there, or if the value that the store has at
  /// `value_key` has changed since the array was opened.
  bool CopyFromCache(const ChunkId& key, const std::string& value_key, const InnerChunkDecoder& decoder,
                     const ChunkRegion& region) const;
  /// Copies a region of an inner chunk from the cache. Returns false if the inner chunk is not there, or belongs to
  /// another state of its shard.
  bool CopyFromCache(const ChunkId& key, const ValueState& shard, const InnerChunkDecoder& decoder,
                     const ChunkRegion& region) const;
  /// Makes the state of a value that was read with that stamp after this object was made.
  std::shared_ptr<const ValueState> MakeState(VersionStamp stamp) const {
    return std::make_shared<const ValueState>(std::move(stamp), began_);
  }
  /// When this object was made, by OpeningClock.
  std::uint64_t began() const { return began_; }
  /// Decodes a chunk into the destination, and keeps it in the cache if that is worth it. `state` is that of the stored
  /// value.
  void DecodeStored(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                    const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// The range of the decoded chunk that holds a region, if it is small or a plane and can be had without reading the
  /// whole stored value; to be given to DecodeStoredRange, if the stored bytes are the elements as they are, else to
  /// DecodePart. Nothing if the chunk is to be read whole.
  std::optional<ByteRange> GetRangeToRead(const ChunkId& key, const InnerChunkDecoder& decoder,
                                          const ChunkRegion& region) const;
  void DecodeStoredRange(const ChunkId& key, const std::shared_ptr<const ValueState>& state, Bytes stored,
                         const ByteRange& range, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// Decodes only the part of a chunk that holds `wanted`, the range of the region. Returns false if the codecs cannot
  /// do that, or if it is not worth it.
  bool DecodePart(const ChunkId& key, const std::shared_ptr<const ValueState>& state, const EncodedValue& value,
                  const ByteRange& wanted, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// Fills the region with the fill value.
  void Fill(const ChunkRegion& region) const;
  /// Throws Error(limit_exceeded) if a chunk, decoded or with its `encoded` bytes, needs more memory than is allowed,
  /// and Error(corrupt) if it has more encoded bytes than it can have.
  void CheckSize(const InnerChunkDecoder& decoder, std::uint64_t encoded) const;
  /// Waits for a share of the memory that a large chunk takes, encoded and decoded, where its size is known before.
  MemoryShare ReserveMemory(const InnerChunkDecoder& decoder) const;

  /// Whether GetChunkId tells all chunks apart; it does not in a grid of more than 2^64 chunks.
  bool names_chunks() const { return names_chunks_; }
  /// Whether chunks may be cached: they have numbers, and they come from the store in which the array was opened.
  bool MayKeep() const;
  /// The array's generation when this read began.
  std::uint64_t generation() const { return generation_; }
  ChunkId GetChunkId(const Shape& grid_index) const;

  /// The number of threads for tasks: those that decode, or more where waiting for a store takes most of the time.
  std::size_t width() const { return width_; }

 private:
  /// Returns a chunk of the cache that has the whole region, or nullptr.
  std::shared_ptr<const DecodedChunk> FindInCache(const ChunkId& key, const InnerChunkDecoder& decoder,
                                                  const ChunkRegion& region) const;
  void CopyFrom(const DecodedChunk& chunk, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// Copies a region: from a whole chunk in the decoder's layout, from a whole chunk in another layout, from `bytes`
  /// that begin at `begin` in the chunk, or from the region's first element.
  void Copy(const std::byte* elements, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  void Copy(const std::byte* elements, const Strides& layout, const InnerChunkDecoder& decoder,
            const ChunkRegion& region) const;
  void CopyFrom(const Bytes& bytes, std::uint64_t begin, const InnerChunkDecoder& decoder,
                const ChunkRegion& region) const;
  void CopyRegion(const std::byte* first, const Strides& layout, const InnerChunkDecoder& decoder,
                  const ChunkRegion& region) const;
  bool IsWorthCaching(const ChunkId& key, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// Whether a region, in that range of the chunk, is so small that decoding only the range is worth it.
  bool IsSmall(const InnerChunkDecoder& decoder, const ChunkRegion& region, const ByteRange& range) const;
  /// Whether a region, in that range of the chunk, is a long run of elements that takes one read of a file, as part of
  /// a walk through the array: a band of a chunk of several, for instance. All runs of a chunk then take about the time
  /// that the chunk takes, and none has to be kept.
  bool IsPlane(const InnerChunkDecoder& decoder, const ChunkRegion& region, const ByteRange& range) const;
  /// Decodes only the part that a small region needs. Returns false if the codecs cannot do that, or if it is not worth
  /// it.
  bool DecodeSmall(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                   const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  void DecodeVariable(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                      const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  void DecodeAndKeep(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                     const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  void Keep(const ChunkId& key, const std::shared_ptr<const ValueState>& state,
            std::shared_ptr<DecodedChunk> chunk) const;

  const Array& array_;
  const ReadOptions& options_;
  const std::uint64_t generation_;
  const std::uint64_t began_;
  bool names_chunks_ = false;
  bool use_cache_ = false;
  mutable Once may_keep_once_;
  mutable bool may_keep_ = false;
  bool keeps_all_ = false;    // keeps chunks that the window covers whole
  bool keeps_again_ = false;  // keeps such chunks when they are read again
  std::size_t width_ = 1;
  mutable std::unique_ptr<std::counting_semaphore<>> decoders_;  // where more threads wait than may decode
};

/// Returns " chunk [0,3]" for messages.
std::string FormatChunkText(const Shape& grid_index);

/// Runs `work`. Errors, and a lack of memory, get the names of the store, the key and the chunk.
template <typename Function>
void RunAtChunk(const Store& store, const std::string& key, const Shape& grid_index, const Function& work) {
  try {
    work();
  } catch (const Error& error) {
    const Error placed = error.At(store.name(), key);
    throw error.kind() == ErrorKind::kIo ? placed : placed.With(FormatChunkText(grid_index));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::kIo, store.name(), key, "", "out of memory").With(FormatChunkText(grid_index));
  }
}

}  // namespace zarr
