// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "zarrlib/array/cache/value_state.h"
#include "zarrlib/array/read/chunk_loader.h"
#include "zarrlib/array/read/planned_shard.h"
#include "zarrlib/codec/codec.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Inner chunks that are read with one request: the tasks [first, last) of a shard.
struct ShardGroup {
  std::size_t shard = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Divides the tasks of a shard into groups. `number` is the shard's number in these.
void GroupTasks(std::size_t number, const PlannedShard& shard, const Store& store, std::vector<ShardGroup>* groups);

/// Reads inner chunks of shards with known indices.
class ShardInnerChunks {
 public:
  explicit ShardInnerChunks(const ChunkLoader& io) : io_(io) {}

  /// Reads the inner chunks of a group. `state` is the state of the shard whose index is known, `key` its id, `chunk`
  /// the requested region of it, and `live` its shape inside the array. Throws ValueChanged, like `source`.
  void Read(const ValueReader& source, const std::shared_ptr<const ValueState>& state,
            std::span<const InnerChunkRead> tasks, const ChunkId& key, const ChunkRegion& chunk,
            const Shape& live) const;

 private:
  const ChunkLoader& io_;
};

}  // namespace zarr
