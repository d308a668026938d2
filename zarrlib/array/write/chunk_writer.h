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

  /// Loads the present value of a key, which will be merged and written back. Returns false if there is none.
  bool Load(const std::string& key, Bytes* value, std::uint64_t max_size = UINT64_MAX) const {
    return array_->store().Get(key, value, nullptr, max_size, Freshness::kNow);
  }
  /// Loads the `wanted` inner chunks of a stored shard. Returns nullopt if the shard is absent.
  std::optional<SplitShard> LoadInnerChunks(const PendingChunk& chunk, const InnerChunkFilter& wanted) const;
  /// Locks a chunk, whose region inside the array is expected to have the shape `live`.
  ChunkLock Lock(const std::string& key, const Shape& grid_index, const Shape& live, bool waits = true) const {
    return locks_.Lock(key, grid_index, live, waits);
  }
  ChunkLock LockWhole(const std::string& key, const Shape& grid_index, const Shape& live) const {
    return locks_.LockWhole(key, grid_index, live);
  }
  /// Locks, encodes and stores a whole chunk; erases the chunk if it equals the fill value.
  void PutElements(const std::string& key, const Shape& grid_index, const Shape& live, const ChunkEncoder& codec,
                   const std::byte* elements) const;
  /// Stores an encoded chunk; without a value, erases the chunk. The caller must have locked it.
  void PutValue(const std::string& key, const Shape& grid_index, const ChunkEncoder& codec,
                std::optional<ByteSpan> value) const;
  /// Locks and stores a pending chunk that is not a shard, after filling in its missing elements from the stored chunk.
  void PutPending(PendingChunk& chunk) const;
  /// Throws Error(unsupported) if chunks that have to be merged are rejected.
  void CheckMayMerge() const;
  /// Returns true if a chunk that turns out to be empty is stored nevertheless, because its value was read and removals
  /// have no conditions: another process may have changed it.
  bool KeepsEmpty(bool was_read) const;

  /// Runs `work`. Adds the names of the store, the key and the chunk to errors.
  template <typename Function>
  void RunAtChunk(const std::string& key, const Shape& grid_index, const Function& work) const {
    zarr::RunAtChunk(array_->store(), key, grid_index, work);
  }

 private:
  /// Fills in the missing elements from the stored chunk, and stores the whole chunk. The caller must have locked it.
  void PutMerged(const std::string& key, const Shape& grid_index, const ChunkEncoder& codec,
                 PartialChunk* partial) const;
  /// Locks and stores a whole chunk. Returns false if it has to be merged: another process may have enlarged the array,
  /// and have written to the chunk.
  bool PutWhole(const std::string& key, const Shape& grid_index, const Shape& live, const ChunkEncoder& codec,
                std::optional<ByteSpan> value) const;
  /// Like PutValue, but does not update the caches.
  void StoreValue(const std::string& key, std::optional<ByteSpan> value) const;

  std::shared_ptr<const Array> array_;
  WriterOptions options_;
  ChunkLocks locks_;
  std::shared_ptr<const ChunkEncoder> uniform_;  // if all chunks have one shape
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<const ChunkEncoder>> codecs_;  // for other shapes, the latest last, bounded
};

}  // namespace zarr
