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
  std::unique_ptr<StoreLock> lock;  ///< Null if another thread or process has it, or if none is needed.
  /// The shape of the chunk's region inside the array, as the stored metadata have it while the lock is held.
  Shape live;
  bool busy = false;  ///< Another thread or process has the lock.
};

/// Locks the stored chunks of one array, for a writer. Thread-safe.
///
/// The array may have got another shape since the writer's snapshot was made: by another handle, or another process.
/// Whoever has the lock of a chunk knows the shape that holds, because a resize locks the whole array. Or the array may
/// have been replaced by another one, or be gone. The metadata are read again only if their document has another stamp.
class ChunkLocks {
 public:
  /// Without `locks`, the caller has locked the whole array.
  ChunkLocks(const Array& array, bool locks);

  /// Locks the chunk with a key. `live` is the shape of its region inside the array in the writer's snapshot. Throws
  /// Error(io) if the array has been removed or replaced since it was opened, or no longer has that chunk.
  ChunkLock Lock(const std::string& key, const Shape& grid_index, const Shape& live, bool waits = true) const;

 private:
  /// The array's shape that belongs to the stamp of the document. Throws Error(io) if the document is another array's.
  std::shared_ptr<const Shape> GetShape(const VersionStamp& stamp) const;
  /// As GetShape; null if the document has to be read.
  std::shared_ptr<const Shape> FindShape(const VersionStamp& stamp) const;
  Shape ComputeLive(const std::string& key, const Shape& grid_index, const Shape& shape) const;

  const Array& array_;
  const bool locks_;
  const std::string document_;     // its key
  mutable std::mutex read_mutex_;  // held while the document is read; of `agrees_`
  mutable std::mutex mutex_;       // of the others
  mutable bool is_there_;          // the document is, until someone takes it away
  mutable bool agrees_;            // it says what the snapshot says; else that waits to be put
  mutable VersionStamp stamp_;
  mutable std::shared_ptr<const Shape> shape_;  // that belongs to `stamp_`; null if it is not known
};

}  // namespace zarr
