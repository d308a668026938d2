// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "zarrlib/array/array.h"
#include "zarrlib/array/read/absent_chunks.h"
#include "zarrlib/array/read/chunk_loader.h"
#include "zarrlib/array/read/chunk_plan.h"
#include "zarrlib/array/read/neighbouring_chunks.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/codec/codec_pipeline.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

struct ChunkBatch;
struct IndexedShard;
struct PlannedShard;
class StoredValue;

/// One read of an array. `ReadChunks` is for chunks that are not shards, `ReadShards` for shards.
class ReadOperation {
 public:
  ReadOperation(const Array& array, const Selection& selection, const Destination& destination,
                const ReadOptions& options);
  bool ReadChunks() const;
  bool ReadShards() const;
  /// Returns true if all values that the read needed turned out to be absent.
  bool found_nothing() const { return absent_count_ >= range_.count(); }

 private:
  /// Like ReadChunks, where it is known which chunks are absent.
  bool ReadPlanned(const ChunkPlan& plan) const;
  /// Fills the elements of absent chunks: a box of positions in the range.
  void FillAbsent(const ChunkPlan& plan, const Box& chunks) const;
  void ReadChunk(std::uint64_t number) const;
  /// Reads a chunk that is not cached. `range` is that of ChunkLoader::GetRangeToRead. If `known` is given, it is the
  /// stored value, which is read again only if it cannot be decoded.
  void ReadFromStore(const std::string& key, const ChunkId& id, const std::optional<ByteRange>& range,
                     const ResolvedPipeline& pipeline, const ChunkRegion& region,
                     NeighbouringChunks::Value* known) const;
  /// Returns false if the value of that key turned out to be absent, or is known to be absent without a lookup.
  template <typename Get>
  bool GetIfThere(const std::string& key, const Get& get) const {
    const bool is_known = absent_.Contains(key);
    if (!is_known && get()) return true;
    if (!is_known) absent_.Note(key);
    ++absent_count_;
    return false;
  }
  /// Reads the whole value of a chunk. Returns false if it is absent.
  bool GetValue(const std::string& key, const ResolvedPipeline& pipeline, Bytes* value, VersionStamp* stamp) const;
  void ReadWhole(const std::string& key, const ChunkId& id, const ResolvedPipeline& pipeline, const ChunkRegion& region,
                 VersionStamp* stamp) const;
  /// Reads and decodes only the part of a chunk that contains a range of its elements. Returns false if the chunk is
  /// absent, or must be read as a whole.
  bool ReadPart(const std::string& key, const ChunkId& id, const ByteRange& range, const ResolvedPipeline& pipeline,
                const ChunkRegion& region, VersionStamp* stamp) const;
  /// Reads only a range of a chunk whose stored bytes are its elements. The range contains the whole region.
  void ReadRange(const std::string& key, const ChunkId& id, const ByteRange& range, const ResolvedPipeline& pipeline,
                 const ChunkRegion& region, VersionStamp* stamp) const;

  /// Like ReadChunks, for a store that can read several values together.
  bool ReadNeighbours(const StoreRequests& requests) const;
  /// Copies a chunk of a batch from the cache, or finds where it is.
  void LocateChunk(std::uint64_t number, ChunkBatch* batch) const;
  /// Reads a chunk of a batch that was not cached.
  void ReadLocated(std::uint64_t number, ChunkBatch* batch) const;
  void DecodeNeighbour(const ChunkId& id, NeighbouringChunks::Value value, const ResolvedPipeline& pipeline,
                       const ChunkRegion& region, VersionStamp* stamp) const;

  /// Reads shards, while the progress goes from one fraction to another.
  bool ReadShards(std::span<const ChunkOverlap> overlaps, double from, double to) const;
  /// Reads a shard with more inner chunks than are planned at once, piece by piece.
  bool ReadLargeShard(const ChunkOverlap& overlap, double from, double to) const;
  /// Reads shards once; those that are spoiled afterwards must be read again.
  bool ReadOnce(std::span<PlannedShard* const> shards, double from, double to) const;
  void Begin(const ChunkOverlap& overlap, PlannedShard* shard) const;
  /// Reads the index of a shard, or takes it from the cache, and plans which inner chunks to read. A spoiled shard is
  /// started again. Fills the region of an absent shard.
  void PlanShard(PlannedShard* shard) const;
  /// Resets a spoiled shard to unopened. Throws if reading it again would not help.
  void Renew(PlannedShard* shard) const;
  /// Returns a shard from the cache that has not changed since the array was opened, or null.
  std::shared_ptr<const IndexedShard> FindShard(const PlannedShard& shard) const;
  void OpenAndPlan(const StoredValue& source, PlannedShard* shard) const;
  /// Reads the index of a shard. Returns null if the shard is absent.
  std::shared_ptr<const IndexedShard> OpenShard(const StoredValue& source, const PlannedShard& shard) const;
  /// Reads the tasks [first, last) of a shard, unless it is spoiled.
  void ReadGroup(std::size_t first, std::size_t last, PlannedShard* shard) const;
  /// Runs work that reads from a shard. Spoils the shard and drops its cached data if it has changed, or if it cannot
  /// be decoded and may be read again. `task` is the first inner chunk that is read.
  template <typename Work>
  void ReadPart(PlannedShard* shard, std::size_t task, const StoredValue& source, const Work& work) const;

  /// Returns the destination of the elements that begin at `output` in the selection.
  Destination GetDestination(const Shape& output) const;
  ChunkRegion MakeRegion(const ChunkOverlap& overlap) const;
  std::shared_ptr<const ResolvedPipeline> GetPipeline(const ChunkOverlap& overlap) const;
  ExecutorOptions executor_options() const;
  /// Returns the options for work during which the progress goes from one fraction to another.
  ExecutorOptions MakeOptionsForShare(double from, double to) const;

  const Array& array_;
  const Selection& selection_;
  Destination destination_;
  const ReadOptions& options_;
  ChunkRange range_;
  ChunkLoader io_;
  mutable AbsentChunks absent_;
  mutable std::atomic<std::uint64_t> absent_count_ = 0;
};

}  // namespace zarr
