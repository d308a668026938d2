#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "zarrlib/array/array.h"
#include "zarrlib/array/read/chunk_loader.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

struct IndexedShard;

/// One read of an array. `ReadChunks` is for values that are inner chunks, `ReadShards` for those that hold some.
class ReadOperation {
 public:
  ReadOperation(const Array& array, const Selection& selection, const Destination& destination,
                const ReadOptions& options);
  bool ReadChunks() const;
  bool ReadShards() const;

 private:
  struct PlannedShard;

  void ReadChunk(std::uint64_t number) const;
  /// Reads the value of a chunk whole; false if it is absent.
  bool GetValue(const std::string& key, const ResolvedPipeline& pipeline, Bytes* value, VersionStamp* stamp) const;
  /// Of a chunk that is stored as it is: just this range, which holds all that is wanted.
  void ReadRange(const std::string& key, const ChunkId& inner_chunk, const ByteRange& range,
                 const ResolvedPipeline& pipeline, const ChunkRegion& region) const;
  /// A shard in the cache that has not changed since the array was opened, or nullptr.
  std::shared_ptr<const IndexedShard> FindShard(const PlannedShard& shard) const;
  /// Shards, between two shares of the read's progress. With `opened` it is one, which need not be opened if that tells
  /// of it, and is told there.
  bool ReadShards(std::span<const ChunkOverlap> overlaps, double from, double to,
                  std::shared_ptr<const IndexedShard>* opened) const;
  /// A shard that has more inner chunks than are planned at once: in pieces.
  bool ReadLargeShard(const ChunkOverlap& overlap, double from, double to) const;
  /// Reads the index of a shard, or takes it from the cache, and plans the leaves to read.
  void PlanShard(const ChunkOverlap& overlap, PlannedShard* shard) const;
  void OpenAndPlan(PlannedShard* shard) const;
  /// Reads the tasks [first, last) of a shard, anew if the value has changed since it was opened.
  void ReadGroup(const PlannedShard& shard, std::size_t first, std::size_t last) const;
  /// The destination of the selected elements that begin at `output` in the selection.
  Destination DestinationAt(const Shape& output) const;
  ChunkRegion RegionOf(const ChunkOverlap& overlap) const;
  std::shared_ptr<const ResolvedPipeline> PipelineFor(const ChunkOverlap& overlap) const;
  ExecutorOptions executor_options() const;
  /// The same for a part of the read, between two shares of its progress.
  ExecutorOptions OptionsForShare(double from, double to) const;

  const Array& array_;
  const Selection& selection_;
  Destination destination_;
  const ReadOptions& options_;
  ChunkRange range_;
  ChunkLoader io_;
};

}  // namespace zarr
