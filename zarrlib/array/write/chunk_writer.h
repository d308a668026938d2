// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/array/array.h"
#include "zarrlib/array/array_writer.h"
#include "zarrlib/array/read/chunk_loader.h"
#include "zarrlib/array/write/chunk_locks.h"
#include "zarrlib/array/write/pending_chunks.h"

namespace zarr {

/// Encodes and stores the chunks of one array, for all its writes. Thread-safe.
class ChunkWriter {
 public:
  ChunkWriter(std::shared_ptr<const Array> array, const WriterOptions& options);

  const Array& array() const { return *array_; }
  const std::shared_ptr<const Array>& shared_array() const { return array_; }
  std::shared_ptr<const ChunkEncoder> GetEncoder(const Shape& encoded_shape) const;

  /// Loads the present value of a key, which is to be merged and put back. Returns false if there is none.
  bool Load(const std::string& key, Bytes* value, std::uint64_t max_size = UINT64_MAX) const {
    return array_->store().Get(key, value, nullptr, max_size, Freshness::kNow);
  }
  /// Loads the inner chunks of a stored shard that are `wanted`; nothing if the shard is absent.
  std::optional<SplitShard> LoadInnerChunks(const PendingChunk& chunk, const InnerChunkFilter& wanted) const;
  /// Locks a chunk, whose region inside the array has the shape `live` as far as the caller knows.
  ChunkLock Lock(const std::string& key, const Shape& grid_index, const Shape& live, bool waits = true) const {
    return locks_.Lock(key, grid_index, live, waits);
  }
  /// Locks, encodes and stores a whole chunk; erases the chunk if it equals the fill value.
  void PutElements(const std::string& key, const Shape& grid_index, const Shape& live, const ChunkEncoder& codec,
                   const std::byte* elements) const;
  /// Stores an encoded chunk; without a value, erases the chunk. The caller has locked it.
  void PutValue(const std::string& key, const Shape& grid_index, const ChunkEncoder& codec,
                std::optional<ByteSpan> value) const;
  /// Locks and stores a pending chunk that is no shard, after taking its missing elements from the stored chunk.
  void PutPending(PendingChunk& chunk) const;
  /// Throws Error(unsupported) if chunks that have to be merged are refused.
  void CheckMayMerge() const;

  /// Runs `work`. Errors get the names of the store, the key and the chunk.
  template <typename Function>
  void RunAtChunk(const std::string& key, const Shape& grid_index, const Function& work) const {
    zarr::RunAtChunk(array_->store(), key, grid_index, work);
  }

 private:
  /// Takes the missing elements from the stored chunk, and stores the whole. The caller has locked the chunk.
  void PutMerged(const std::string& key, const Shape& grid_index, const ChunkEncoder& codec,
                 PartialChunk* partial) const;
  /// As PutValue, but for what is in memory.
  void StoreValue(const std::string& key, std::optional<ByteSpan> value) const;

  std::shared_ptr<const Array> array_;
  WriterOptions options_;
  ChunkLocks locks_;
  std::shared_ptr<const ChunkEncoder> uniform_;  // where all chunks have one shape
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<const ChunkEncoder>> codecs_;  // for other shapes, the latest last, bounded
};

}  // namespace zarr
