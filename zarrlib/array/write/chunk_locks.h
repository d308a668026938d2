// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "zarrlib/array/array.h"
#include "zarrlib/store/store_locks.h"

namespace zarr {

/// The right to replace a stored chunk.
struct ChunkLock {
  std::unique_ptr<StoreLock> lock;  ///< Null if another thread or process has the lock, or if none is needed.
  /// The shape of the chunk's region inside the array, according to the stored metadata while the lock is held.
  Shape live;
  bool busy = false;  ///< Another thread or process has the lock.
  /// The chunk is expected to be absent: writing it throws ChangedMeanwhile if it is not, and it must then be merged.
  bool is_first = false;
};

/// Locks the stored chunks of one array, for a writer. Thread-safe.
///
/// The shape of the array may have changed since the writer's snapshot was made, by another handle or another process.
/// The holder of a chunk's lock knows the valid shape, because a resize locks the whole array. The array may also have
/// been replaced or removed. The metadata are read again only if their document has another stamp.
///
/// In a remote store, checking the document would cost a request for each chunk. If it has conditions, a chunk that the
/// end of the array cuts off counts as inside as a whole, so that it is merged with what is stored: another process may
/// have enlarged the array, and have written there.
class ChunkLocks {
 public:
  /// Without `locks`, the caller has locked the whole array. Without `merges`, chunks cannot be merged with stored
  /// ones.
  ChunkLocks(const Array& array, bool locks, bool merges);

  /// Locks the chunk with a key. `live` is the shape of its region inside the array in the writer's snapshot. Throws
  /// Error(io) if the array has been removed or replaced since it was opened, or no longer has that chunk.
  ChunkLock Lock(const std::string& key, const Shape& grid_index, const Shape& live, bool waits = true) const;
  /// Like Lock, for a chunk of which all elements are written. A chunk of a new array that the end of the array cuts
  /// off is expected to be absent, which saves reading it.
  ChunkLock LockWhole(const std::string& key, const Shape& grid_index, const Shape& live) const;

 private:
  /// Returns the array's shape for a stamp of the document. Throws Error(io) if the document describes another array.
  std::shared_ptr<const Shape> GetShape(const VersionStamp& stamp) const;
  /// Like GetShape, but returns null if the document has to be read.
  std::shared_ptr<const Shape> FindShape(const VersionStamp& stamp) const;
  /// Returns the shape of a whole chunk.
  Shape GetWholeShape(const Shape& grid_index) const;
  bool IsThere() const;
  void NoteThere() const;
  Shape ComputeLive(const std::string& key, const Shape& grid_index, const Shape& shape) const;

  const Array& array_;
  const bool locks_;
  const bool merges_on_conditions_;
  const std::string document_;     // the key of the document
  const bool is_new_;              // the snapshot's metadata were not read from it
  mutable std::mutex read_mutex_;  // held while the document is read; guards `agrees_`
  mutable std::mutex mutex_;       // guards the other members
  mutable bool is_there_;          // the document has been found
  mutable bool agrees_;            // true if the document matches the snapshot; otherwise the snapshot is still pending
  mutable VersionStamp stamp_;
  mutable std::shared_ptr<const Shape> shape_;  // for `stamp_`; null if unknown
};

}  // namespace zarr
