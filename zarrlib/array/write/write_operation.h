// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "zarrlib/array/write/chunk_writer.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/grid/chunk_grid.h"
#include "zarrlib/store/repeated_change.h"

namespace zarr {

/// One write or flush of an array: `store` stores the chunks, `buffer` contains the pending ones. All functions return
/// false if `progress` stopped them, and throw the error of the lowest chunk. While `progress` is called, its thread
/// holds no leases, so that it may read and write the array. Several leases are taken in grid order, which prevents
/// deadlocks.
class WriteOperation {
 public:
  WriteOperation(const ChunkWriter& store, PendingChunks* buffer, std::size_t buffer_limit,
                 const WriteOptions& options);

  /// Writes a selection: `WriteChunks` is for chunks that are not shards, `WriteShards` for shards.
  bool WriteChunks(const Selection& selection, const ElementSource& source) const;
  bool WriteShards(const Selection& selection, const ElementSource& source) const;
  /// Stores the pending chunks.
  bool FlushChunks() const;
  bool FlushShards() const;

 private:
  struct Shard;
  struct Shards;
  /// With `defer`: the number of complete chunks, or inner chunks of a shard, per thread at which they are encoded.
  static constexpr std::size_t kReadyPerThread = 4;
  /// The number of shards per thread that are locked at the same time.
  static constexpr std::size_t kLockedPerThread = 4;

  void WriteChunk(const ChunkRange& range, std::uint64_t number, const Selection& selection,
                  const ElementSource& source) const;
  void WriteWhole(const ChunkOverlap& overlap, const ChunkEncoder& codec, const RegionElements& source,
                  const std::string& key) const;
  /// Stores the complete chunks, if there are many, and the least recently written chunks until the others are within
  /// the memory limit. Uses only this thread if `alone`, because other threads do the same.
  void SaveExcess(bool alone) const;
  void SaveAll(std::vector<PendingChunks::Lease> chunks, const ExecutorOptions& options) const;

  void WriteShards(const ChunkRange& range, std::uint64_t begin, std::uint64_t end, const Selection& selection,
                   const ElementSource& source) const;
  void WriteInnerChunk(Shard* shard, std::uint64_t number, const Selection& selection,
                       const ElementSource& source) const;
  /// Locks and stores shards, after filling in their missing elements from the store.
  void PutShards(std::vector<PendingChunks::Lease> chunks) const;
  /// Shards that another process has changed while they were merged, so that they are still pending.
  struct OutrunShards {
    std::vector<PendingChunks::Lease> chunks;
    std::optional<ChangedMeanwhile> reason;
  };
  OutrunShards PutLockedShards(std::vector<std::unique_ptr<Shard>> locked) const;
  /// Locks a complete shard. Returns false if it is incomplete in the array's present shape.
  bool LockComplete(Shard* shard) const;
  /// Encodes the complete inner chunks in parallel.
  void EncodeReady(PendingChunk* chunk) const;
  void CompleteInnerChunk(Shard* shard, std::uint64_t inner_chunk) const;
  /// Must be called after each inner chunk of a shard. After the last one, stores the shard or keeps it pending.
  void FinishInnerChunk(Shard* shard, bool store_incomplete) const;
  /// Returns false if the shard has to be merged first.
  bool PutShard(Shard* shard) const;
  /// Like PutShard; also returns false, and notes it in the shard, if another process has changed it since it was
  /// loaded.
  bool TryToPutShard(Shard* shard) const;
  /// Takes the shape of the region inside the array from a lock again.
  void AdoptPresentLive(Shard* shard) const;
  /// Returns the encoded inner chunks, from the pending and the stored shard.
  static std::vector<std::optional<ByteSpan>> GetInnerChunks(const Shard& shard);

  /// Reports the completed fraction of the work to `progress`. Returns false if it stops the operation.
  bool Proceeds(std::uint64_t done, std::uint64_t all) const;
  /// Returns how many shards are built at the same time: one per thread, unless they take too much memory.
  std::size_t CountShardsTogether() const;

  ExecutorOptions MakeOptionsForShare(double from, double to) const;

  const ChunkWriter& store_;
  PendingChunks* const buffer_;
  const std::size_t buffer_limit_;
  const WriteOptions& options_;
  std::size_t width_;
};

/// Returns a pointer to the element at `output` in the selection.
inline const std::byte* GetSource(const ElementSource& source, const Shape& output) {
  const std::byte* data = source.data;
  for (std::size_t i = 0; i < output.size(); ++i) data += static_cast<std::ptrdiff_t>(output[i]) * source.strides[i];
  return data;
}

}  // namespace zarr
