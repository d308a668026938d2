#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <semaphore>
#include <string>
#include <utility>

#include "zarrlib/array/array.h"
#include "zarrlib/array/cache/chunk_cache.h"

namespace zarr {

/// The elements that are wanted of one inner chunk, and where they go.
struct ChunkRegion {
  Shape first;  ///< The first one, counted from the inner chunk's origin.
  Shape count;
  Shape step;
  bool whole = false;       ///< Every element that the array has of this inner chunk.
  Destination destination;  ///< `data` is that of the first one.
};

/// The longest value that is read for an inner chunk: what encoding can give, and room for what may stand behind it.
/// UINT64_MAX where only the content tells.
std::uint64_t LongestStored(const InnerChunkDecoder& decoder);
/// Throws Error(corrupt) for a longer one. `stored` is its size.
void CheckStoredSize(const InnerChunkDecoder& decoder, std::uint64_t stored);

/// What the inner chunks of one read have in common: from stored bytes, or the cache, to the destination. Thread-safe.
class ChunkLoader {
 public:
  /// `window` is the number of elements that the whole read takes.
  ChunkLoader(const Array& array, const ReadOptions& options, std::uint64_t window);

  /// Copies the part from the cache, if the inner chunk, a chunk, is there, and what the store has at `value_key` has
  /// not changed since this array was opened.
  bool FromCache(const ChunkId& key, const std::string& value_key, const InnerChunkDecoder& decoder,
                 const ChunkRegion& region) const;
  /// The same of an inner chunk: it must be of that state of its shard.
  bool FromCache(const ChunkId& key, const ValueState& shard, const InnerChunkDecoder& decoder,
                 const ChunkRegion& region) const;
  /// The state of a value that was read, with that stamp, since this was made.
  std::shared_ptr<const ValueState> StateOf(VersionStamp stamp) const {
    return std::make_shared<const ValueState>(std::move(stamp), began_);
  }
  /// When this was made, by OpeningClock.
  std::uint64_t began() const { return began_; }
  /// Decodes an inner chunk, of a value in that state, to the destination, and keeps it in the cache if that is worth
  /// it.
  void FromStored(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                  const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// The part of the stored bytes of an inner chunk that is enough, where they are its elements as they are and most of
  /// them are not wanted: for FromStoredRange. Nothing if the inner chunk is to be read whole.
  std::optional<ByteRange> StoredRange(const ChunkId& key, const InnerChunkDecoder& decoder,
                                       const ChunkRegion& region) const;
  void FromStoredRange(const ChunkId& key, const std::shared_ptr<const ValueState>& state, Bytes stored,
                       const ByteRange& range, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// Puts the fill value.
  void Fill(const ChunkRegion& region) const;
  /// Error(limit_exceeded) if an inner chunk, decoded or its `encoded` bytes, needs more memory than is allowed;
  /// Error(corrupt) if these are more than it can have.
  void CheckSize(const InnerChunkDecoder& decoder, std::uint64_t encoded) const;
  /// Waits for a share of the memory that a large inner chunk takes, encoded and decoded, where its size is known
  /// before.
  MemoryShare ShareOf(const InnerChunkDecoder& decoder) const;

  /// Whether KeyOf tells all chunks apart: not in a grid of more than 2^64.
  bool names_chunks() const { return names_chunks_; }
  /// Whether what is read may be kept under the array's name: it has numbers for its chunks, and what is read is of the
  /// store that it was opened in.
  bool MayKeep() const;
  /// The array's generation when this read began.
  std::uint64_t generation() const { return generation_; }
  ChunkId KeyOf(const Shape& grid_index) const;

  /// Threads that run tasks: those that decode, or more where waiting for a store takes most of the time.
  std::size_t width() const { return width_; }

 private:
  /// An inner chunk in the cache that has all of the part; or nullptr.
  std::shared_ptr<const DecodedChunk> FindInCache(const ChunkId& key, const InnerChunkDecoder& decoder,
                                                  const ChunkRegion& region) const;
  void CopyFrom(const DecodedChunk& inner_chunk, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// Copies the part from a whole inner chunk, laid out as its decoder says or otherwise; from `bytes` that begin at
  /// `begin` in it; from the part's first element.
  void Copy(const std::byte* elements, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  void Copy(const std::byte* elements, const Strides& layout, const InnerChunkDecoder& decoder,
            const ChunkRegion& region) const;
  void CopyFrom(const Bytes& bytes, std::uint64_t begin, const InnerChunkDecoder& decoder,
                const ChunkRegion& region) const;
  void CopyRegion(const std::byte* first, const Strides& layout, const InnerChunkDecoder& decoder,
                  const ChunkRegion& region) const;
  bool CacheWorthwhile(const ChunkId& key, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// Whether a part, in that range of the inner chunk, is so small that decoding just this is worth it.
  bool IsSmall(const InnerChunkDecoder& decoder, const ChunkRegion& region, const ByteRange& range) const;
  /// Decodes only what is wanted of an inner chunk; false if that cannot be done, or is not worth it.
  bool DecodeSmall(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                   const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  void DecodeVariable(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                      const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  void DecodeAndKeep(const ChunkId& key, const std::shared_ptr<const ValueState>& state, ByteSpan encoded,
                     const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  void Keep(const ChunkId& key, const std::shared_ptr<const ValueState>& state,
            std::shared_ptr<DecodedChunk> inner_chunk) const;

  const Array& array_;
  const ReadOptions& options_;
  const std::uint64_t generation_;
  const std::uint64_t began_;
  bool names_chunks_ = false;
  bool use_cache_ = false;
  mutable std::once_flag may_keep_once_;
  mutable bool may_keep_ = false;
  bool keeps_all_ = false;    // inner chunks that are covered whole, too
  bool keeps_again_ = false;  // such inner chunks when they are read again
  std::size_t width_ = 1;
  mutable std::unique_ptr<std::counting_semaphore<>> decoders_;  // where more threads wait than may decode
};

/// " chunk [0,3]" for messages.
std::string ChunkText(const Shape& grid_index);

/// Runs `work`, whose errors, and want of memory, get the store, the key and the chunk.
template <typename Function>
void AtChunk(const Store& store, const std::string& key, const Shape& grid_index, const Function& work) {
  try {
    work();
  } catch (const Error& error) {
    const Error placed = error.At(store.name(), key);
    throw error.kind() == ErrorKind::kIo ? placed : placed.With(ChunkText(grid_index));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::kLimitExceeded, store.name(), key, "", "out of memory").With(ChunkText(grid_index));
  }
}

}  // namespace zarr
