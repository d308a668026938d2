// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "zarrlib/array/array.h"
#include "zarrlib/array/cache/chunk_cache.h"
#include "zarrlib/array/cache/value_state.h"
#include "zarrlib/base/compiler/semaphore.h"
#include "zarrlib/base/once.h"

namespace zarr {

/// The elements of one chunk (or inner chunk) that a read requests, and their destination.
struct ChunkRegion {
  Shape first;  ///< The first element, relative to the chunk's origin.
  Shape count;
  Shape step;
  bool whole = false;       ///< True if these are all elements of the chunk that are inside the array.
  Destination destination;  ///< `data` points to the destination of the first element.
};

/// Returns the maximum size of a stored value that is read for a chunk: the largest possible encoding, plus room for
/// bytes that may follow it. UINT64_MAX if it depends on the content.
std::uint64_t GetLongestStored(const InnerChunkDecoder& decoder);
/// Throws Error(corrupt) if `stored`, the size of a stored chunk, is larger than that.
void CheckStoredSize(const InnerChunkDecoder& decoder, std::uint64_t stored);

/// The state of the stored value from which a chunk is decoded. If it is only known by its stamp, it is made when a
/// chunk is cached: most chunks of large reads are not. Refers to the arguments of its constructor.
class StateOfValue {
 public:
  StateOfValue(const std::shared_ptr<const ValueState>& known) : known_(&known) {}  // NOLINT: it is that state
  /// `asked` is an OpeningClock time before the value was read.
  StateOfValue(const VersionStamp& stamp, std::uint64_t asked) : stamp_(&stamp), asked_(asked) {}

  std::shared_ptr<const ValueState> Get() const {
    return known_ ? *known_ : std::make_shared<const ValueState>(*stamp_, asked_);
  }

 private:
  const std::shared_ptr<const ValueState>* known_ = nullptr;
  const VersionStamp* stamp_ = nullptr;
  std::uint64_t asked_ = 0;
};

/// Transfers the chunks of one read from stored bytes, or from the cache, to the destination. Thread-safe.
class ChunkLoader {
 public:
  /// `window` is the number of elements of the whole read.
  ChunkLoader(const Array& array, const ReadOptions& options, std::uint64_t window);

  /// Copies a region from the cache. Returns false if the chunk is not cached, or if the stored value at `value_key`
  /// has changed since the array was opened.
  bool CopyFromCache(const ChunkId& key, const std::string& value_key, const InnerChunkDecoder& decoder,
                     const ChunkRegion& region) const;
  /// Copies a region of an inner chunk from the cache. Returns false if the inner chunk is not cached, or belongs to
  /// another state of its shard.
  bool CopyFromCache(const ChunkId& key, const ValueState& shard, const InnerChunkDecoder& decoder,
                     const ChunkRegion& region) const;
  /// Makes the state of a value that was read, with that stamp, after this object was created.
  std::shared_ptr<const ValueState> MakeState(VersionStamp stamp) const {
    return std::make_shared<const ValueState>(std::move(stamp), began_);
  }
  /// Like MakeState, for a value of which chunks may not be cached.
  StateOfValue GetState(const VersionStamp& stamp) const { return {stamp, began_}; }
  /// Returns the OpeningClock time at which this object was created.
  std::uint64_t began() const { return began_; }
  /// Decodes a chunk into the destination, and caches it if worthwhile. `state` is the state of the stored value.
  void DecodeStored(const ChunkId& key, const StateOfValue& state, ByteSpan encoded, const InnerChunkDecoder& decoder,
                    const ChunkRegion& region) const;
  /// Returns the range of the decoded chunk that contains a region, if the region is small or a plane and can be read
  /// without the whole stored value. Pass the range to DecodeStoredRange if the stored bytes are the elements
  /// themselves, and otherwise to DecodePart. Returns nullopt if the whole chunk must be read.
  std::optional<ByteRange> GetRangeToRead(const ChunkId& key, const InnerChunkDecoder& decoder,
                                          const ChunkRegion& region) const;
  void DecodeStoredRange(const ChunkId& key, const StateOfValue& state, Bytes stored, const ByteRange& range,
                         const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// Decodes only the part of a chunk that contains `wanted`, the range of the region. Returns false if the codecs do
  /// not support that, or if it is not worthwhile.
  bool DecodePart(const ChunkId& key, const StateOfValue& state, const EncodedValue& value, const ByteRange& wanted,
                  const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// Fills the region with the fill value.
  void Fill(const ChunkRegion& region) const;
  /// Throws Error(limit_exceeded) if a chunk, decoded or with its `encoded` bytes, exceeds the memory limit, and
  /// Error(corrupt) if it has more encoded bytes than possible.
  void CheckSize(const InnerChunkDecoder& decoder, std::uint64_t encoded) const;
  /// Waits for a share of the memory that a large chunk takes, encoded and decoded, if its size is known in advance.
  MemoryShare ReserveMemory(const InnerChunkDecoder& decoder) const;

  /// Returns true if GetChunkId is unique for all chunks; it is not in a grid of more than 2^64 chunks.
  bool names_chunks() const { return names_chunks_; }
  /// Returns true if chunks may be cached: they have numbers, and they come from the store in which the array was
  /// opened.
  bool MayKeep() const;
  /// Returns the array's generation when this read began.
  std::uint64_t generation() const { return generation_; }
  ChunkId GetChunkId(const Shape& grid_index) const;

  /// Returns the number of task threads: the number of decoding threads, or more if waiting for the store takes most of
  /// the time.
  std::size_t width() const { return width_; }

 private:
  /// Returns a cached chunk that contains the whole region, or null.
  std::shared_ptr<const DecodedChunk> FindInCache(const ChunkId& key, const InnerChunkDecoder& decoder,
                                                  const ChunkRegion& region) const;
  void CopyFrom(const DecodedChunk& chunk, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// The following functions copy a region: from a whole chunk in the decoder's layout, from a whole chunk in another
  /// layout, from `bytes` at the offset `begin` in the chunk, or from the region's first element.
  void Copy(const std::byte* elements, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  void Copy(const std::byte* elements, const Strides& layout, const InnerChunkDecoder& decoder,
            const ChunkRegion& region) const;
  void CopyFrom(const Bytes& bytes, std::uint64_t begin, const InnerChunkDecoder& decoder,
                const ChunkRegion& region) const;
  void CopyRegion(const std::byte* first, const Strides& layout, const InnerChunkDecoder& decoder,
                  const ChunkRegion& region) const;
  bool IsWorthCaching(const ChunkId& key, const InnerChunkDecoder& decoder, const ChunkRegion& region) const;
  /// Returns true if a region, in that range of the chunk, is so small that decoding only the range is worthwhile.
  bool IsSmall(const InnerChunkDecoder& decoder, const ChunkRegion& region, const ByteRange& range) const;
  /// Returns true if a region, in that range of the chunk, is a long run of elements that takes one read of a file, as
  /// part of a traversal of the array, such as one band of a multi-band chunk. Reading all runs of a chunk then takes
  /// about as long as reading the chunk, and none has to be cached.
  bool IsPlane(const InnerChunkDecoder& decoder, const ChunkRegion& region, const ByteRange& range) const;
  /// Decodes only the part that a small region needs. Returns false if the codecs do not support that, or if it is not
  /// worthwhile.
  bool DecodeSmall(const ChunkId& key, const StateOfValue& state, ByteSpan encoded, const InnerChunkDecoder& decoder,
                   const ChunkRegion& region) const;
  void DecodeVariable(const ChunkId& key, const StateOfValue& state, ByteSpan encoded, const InnerChunkDecoder& decoder,
                      const ChunkRegion& region) const;
  void DecodeAndKeep(const ChunkId& key, const StateOfValue& state, ByteSpan encoded, const InnerChunkDecoder& decoder,
                     const ChunkRegion& region) const;
  void Keep(const ChunkId& key, const StateOfValue& state, std::shared_ptr<DecodedChunk> chunk) const;

  const Array& array_;
  const ReadOptions& options_;
  const std::uint64_t generation_;
  const std::uint64_t began_;
  bool names_chunks_ = false;
  bool use_cache_ = false;
  mutable Once may_keep_once_;
  mutable bool may_keep_ = false;
  bool keeps_all_ = false;    // caches chunks that are covered entirely by the window
  bool keeps_again_ = false;  // caches such chunks when they are read again
  std::size_t width_ = 1;
  mutable std::unique_ptr<Semaphore> decoders_;  // limits decoding if there are more task threads than
                                                 // decoding threads
};

/// Returns a string such as " chunk [0,3]" for messages.
std::string FormatChunkText(const Shape& grid_index);

/// Runs `work`. Adds the names of the store, the key and the chunk to errors, including a lack of memory.
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
