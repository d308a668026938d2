// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/once.h"
#include "zarrlib/store/store_requests.h"

namespace zarr {

/// Some chunks of a window, whose store keeps values in parts of other files. Small chunks that are neighbours in a
/// file form a group, which is read with one request. Only Locate and the functions after Group are thread-safe.
class NeighbouringChunks {
 public:
  /// A stored chunk, and the stamp that its key has.
  struct Value {
    Bytes bytes;
    VersionStamp stamp;
  };

  /// `requests` must outlive this object.
  NeighbouringChunks(const StoreRequests& requests, std::size_t count) : requests_(requests), chunks_(count) {}

  /// Finds where a chunk is, if it may belong to a group: a larger one than `max_size` bytes does not. Each chunk is
  /// located by one thread. Does not throw for a chunk that cannot be located: reading it by itself does.
  void Locate(std::size_t chunk, std::string key, std::uint64_t max_size);
  /// Forms the groups, of two or more of the located chunks. Call this once.
  void Group();
  std::size_t group_count() const { return groups_.size(); }
  /// Reads the chunks of a group, or waits until another thread has done so.
  void ReadGroup(std::size_t group) { Read(&groups_[group]); }
  /// Returns the value of a chunk, once, after its group was read. Returns nullopt if the chunk has to be read by
  /// itself: it is in no group, or its group could not be read, which is then an error of one of its chunks.
  std::optional<Value> Take(std::size_t chunk);

 private:
  struct ChunkGroup {
    std::vector<std::size_t> members;
    Once once;
    bool is_read = false;
  };
  struct Chunk {
    std::string key;
    std::optional<ValueLocation> location;  // nullopt for a chunk that belongs to no group
    ChunkGroup* group = nullptr;
    Value value;
  };

  bool AreTogether(std::size_t first, std::size_t next, std::uint64_t end) const;
  void Read(ChunkGroup* group);

  const StoreRequests& requests_;
  std::vector<Chunk> chunks_;
  std::deque<ChunkGroup> groups_;
};

}  // namespace zarr
