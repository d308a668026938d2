#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "zarrlib/array/write/chunk_writer.h"
#include "zarrlib/base/executor.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

/// One call of a writer: what it stores is in `store`, what waits in `buffer`. All functions return false if
/// `progress` stopped them, and throw the error of the lowest chunk. While `progress` is called, its thread holds no
/// chunk: it may read and write the same array. Who holds several takes them in the order of their places in the grid,
/// so that calls of several threads wait for each other in no circle.
class WriteOperation {
 public:
  WriteOperation(const ChunkWriter& store, PendingChunks* buffer, std::size_t buffer_limit, const WriteOptions& call);

  /// `WriteChunks` is for values that are one part, `WriteShards` for those that hold some.
  bool WriteChunks(const Selection& selection, const ElementSource& source) const;
  bool WriteShards(const Selection& selection, const ElementSource& source) const;
  /// Stores what waits.
  bool FlushChunks() const;
  bool FlushShards() const;

 private:
  struct Shard;
  struct Shards;
  /// Of deferred calls: chunks, or parts of a shard, that wait for each thread.
  static constexpr std::size_t kReadyPerThread = 4;

  void WriteChunk(const ChunkRange& range, std::uint64_t number, const Selection& selection,
                  const ElementSource& source) const;
  void WriteWhole(const ChunkOverlap& overlap, const ChunkEncoder& codec, const RegionElements& source,
                  const std::string& key) const;
  /// Stores the chunks that are complete, if there are many, and those written to least recently until the others take
  /// no more than is allowed: in parallel, unless other threads do the same.
  void SaveExcess(bool alone) const;
  void SaveAll(std::vector<PendingChunks::Lease> chunks, const ExecutorOptions& options) const;

  void WriteShards(const ChunkRange& range, std::uint64_t begin, std::uint64_t end, const Selection& selection,
                   const ElementSource& source) const;
  void WriteInnerChunk(Shard* shard, std::uint64_t number, const Selection& selection,
                       const ElementSource& source) const;
  /// Stores shards, what was not written of them taken from the store.
  void PutShards(std::vector<PendingChunks::Lease> chunks) const;
  /// Encodes the parts that are ready, in parallel.
  void EncodeReady(PendingChunk* chunk) const;
  void CompleteInnerChunk(Shard* shard, std::uint64_t inner_chunk) const;
  /// To be called when a part of a shard has been dealt with: stores or keeps it, if that was the last.
  void Done(Shard* shard, bool store_incomplete) const;
  void PutShard(Shard* shard) const;

  /// Tells `progress` the share done; false if it stops the call.
  bool Proceeds(std::uint64_t done, std::uint64_t all) const;
  /// How many shards are put together at the same time, as many as threads unless they take too much memory.
  std::size_t ShardsTogether() const;

  ExecutorOptions OptionsForShare(double from, double to) const;

  const ChunkWriter& store_;
  PendingChunks* const buffer_;
  const std::size_t buffer_limit_;
  const WriteOptions& call_;
  std::size_t width_;
};

/// The source's elements from the one at `output` in the selection on.
inline const std::byte* SourceAt(const ElementSource& source, const Shape& output) {
  const std::byte* data = source.data;
  for (std::size_t i = 0; i < output.size(); ++i) data += static_cast<std::ptrdiff_t>(output[i]) * source.strides[i];
  return data;
}

}  // namespace zarr
