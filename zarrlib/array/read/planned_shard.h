// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "zarrlib/array/cache/shard_index_cache.h"
#include "zarrlib/array/read/stored_value.h"
#include "zarrlib/base/error.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

/// A shard that is being read. All parts that a read takes from it must come from one version of its value. If a part
/// turns out to come from another version, or cannot be decoded and may be read again, the shard is spoiled: everything
/// is then read again, with another index, including parts that came from the cache or were filled.
struct PlannedShard {
  /// The reason why a part could not be decoded.
  struct Failure {
    std::size_t task;  ///< The first inner chunk of the part.
    Error error;
    int status;  ///< As in VersionStamp.
  };

  ChunkOverlap overlap;  ///< The part that is being read.
  std::string key;
  ChunkId id;
  bool is_opened = false;                     ///< True if the shard is known to be absent, or its index is known.
  std::shared_ptr<const IndexedShard> shard;  ///< Null if the shard is absent, or not opened.
  std::shared_ptr<const KeptPart> kept;       ///< What came with its index; null if that was nothing else.
  bool is_from_cache = false;                 ///< True if the index comes from the cache.
  std::vector<InnerChunkRead> tasks;          ///< In the order of the value.
  int changes = 0;                            ///< How often another version was found.
  int failures = 0;                           ///< How often a freshly read index led to a value that could not be
                                              ///< decoded.

  bool is_spoiled() const { return is_spoiled_.load(); }
  /// Records that another version was found. This function and NoteFailure may be called by several threads at once.
  void NoteChange() { is_changed_ = is_spoiled_ = true; }
  /// Records a failure. Of several failures, the one of the lowest task is kept.
  void NoteFailure(Failure failure) {
    {
      const std::lock_guard lock(mutex_);
      if (!failure_ || failure.task < failure_->task) failure_ = std::move(failure);
    }
    is_spoiled_ = true;
  }
  /// Resets a spoiled shard to unopened. Returns the failure, unless a change explains it.
  std::optional<Failure> Reset() {
    is_opened = false;
    shard = nullptr;
    kept = nullptr;
    is_from_cache = false;
    tasks.clear();
    is_spoiled_ = false;
    auto failure = std::exchange(failure_, std::nullopt);
    return is_changed_.exchange(false) ? std::nullopt : std::move(failure);
  }

 private:
  std::atomic<bool> is_spoiled_ = false;
  std::atomic<bool> is_changed_ = false;
  std::mutex mutex_;
  std::optional<Failure> failure_;
};

}  // namespace zarr
