// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "zarrlib/base/bytes.h"
#include "zarrlib/store/icechunk/chunk_table.h"
#include "zarrlib/store/icechunk/object_id.h"

namespace zarr {

/// The references of a chunk manifest file, by the IDs of their arrays. Immutable, and safe for any number of threads.
class Manifest {
 public:
  /// Converts the FlatBuffer of a manifest to tables that need much less memory. Throws Error(corrupt) for invalid
  /// references, and for references that are not sorted, which could not be found. If given, `drop` is called now and
  /// then: it may give back the memory for what was read of the FlatBuffer.
  explicit Manifest(ByteSpan payload, const std::function<void()>& drop = {});

  /// The ID that the manifest says it has.
  const ObjectId& id() const { return id_; }
  /// Returns null if the manifest has no references of the array.
  const ChunkTable* Find(const NodeId& array) const;
  const std::map<NodeId, ChunkTable>& arrays() const { return arrays_; }
  /// The memory for the references, in bytes.
  std::uint64_t memory() const { return memory_; }

 private:
  ObjectId id_;
  std::map<NodeId, ChunkTable> arrays_;
  std::uint64_t memory_ = 0;
};

}  // namespace zarr
