// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "zarrlib/array/array.h"
#include "zarrlib/array/read/absent_chunks.h"
#include "zarrlib/array/read/chunk_loader.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

struct IndexedShard;

/// One read of an array. `ReadChunks` is for chunks that are no shards, `ReadShards` for shards.
class ReadOperation {
 public:
  ReadOperation(const Array& array, const Selection& selection, const Destination& destination,
                const ReadOptions& options);
  bool ReadChunks() const;
  bool ReadShards() const;

 private:
  struct PlannedShard;

  void ReadChunk(std::uint64_t number) const;
  /// Returns false if the value of that key turned out to be absent, or, without a look, is known to be.
  template <typename Get>
  bool GetIfThere(const std::string& key, const Get& get) const {
    if (absent_.Contains(key)) return false;
    if (get()) return true;
    absent_.Note(key);
    return false;
  }
  /// Reads the whole value of a chunk. Returns false if it is absent.
  bool GetValue(const std::string& key, const ResolvedPipeline& pipeline, Bytes* value, VersionStamp* stamp) const;
  /// Reads only a range of a chunk that is stored as it is. The range holds the whole region.
  void ReadRange(const std::string& key, const ChunkId& id, const ByteRange& range, const ResolvedPipeline& pipeline,
                 const ChunkRegion& region) const;
  /// Returns a shard from the cache that has not changed since the array was opened, or nullptr.
  std::shared_ptr<const IndexedShard> FindShard(const PlannedShard& shard) const;
  /// Reads shards, while the progress goes from one share to another. With `opened`, only one shard is read; if its
  /// index was read already, it is there, else it is put there.
  bool ReadShards(std::span<const ChunkOverlap> overlaps, double from, double to,
                  std::shared_ptr<const IndexedShard>* opened) const;
  /// Reads a shard that has more inner chunks than are planned at once, piece by piece.
  bool ReadLargeShard(const ChunkOverlap& overlap, double from, double to) const;
  /// Reads the index of a shard, or takes it from the cache, and plans which inner chunks to read.
  void PlanShard(const ChunkOverlap& overlap, PlannedShard* shard) const;
  void OpenAndPlan(PlannedShard* shard) const;
  /// Reads the tasks [first, last) of a shard; reads the shard anew if its value has changed since the index was read.
  void ReadGroup(const PlannedShard& shard, std::size_t first, std::size_t last) const;
  /// The destination of the elements that begin at `output` in the selection.
  Destination GetDestination(const Shape& output) const;
  ChunkRegion MakeRegion(const ChunkOverlap& overlap) const;
  std::shared_ptr<const ResolvedPipeline> GetPipeline(const ChunkOverlap& overlap) const;
  ExecutorOptions executor_options() const;
  /// The options for work that takes the progress from one share to another.
  ExecutorOptions MakeOptionsForShare(double from, double to) const;

  const Array& array_;
  const Selection& selection_;
  Destination destination_;
  const ReadOptions& options_;
  ChunkRange range_;
  ChunkLoader io_;
  mutable AbsentChunks absent_;
};

}  // namespace zarr
