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
#include "zarrlib/base/error.h"
#include "zarrlib/grid/chunk_grid.h"

namespace zarr {

/// A shard that is being read. All that a read takes from it is of one version of its value: if a part of it turns out
/// to be of another version, or cannot be decoded and may be got again, the shard is spoiled. Then everything is read
/// anew, with another index, including what came from the cache and what was filled.
struct PlannedShard {
  /// Why a part could not be decoded.
  struct Failure {
    std::size_t task;  ///< The first inner chunk of the part.
    Error error;
    int status;  ///< As in VersionStamp.
  };

  ChunkOverlap overlap;  ///< The part that is read now.
  std::string key;
  ChunkId id;
  bool is_opened = false;                     ///< Whether it is known that there is no shard, or what its index is.
  std::shared_ptr<const IndexedShard> shard;  ///< Null if the shard is absent, or not opened.
  bool is_from_cache = false;                 ///< Whether the index is.
  std::vector<InnerChunkRead> tasks;          ///< In the order of the value.
  int changes = 0;                            ///< How often another version was found.
  int failures = 0;                           ///< How often a value could not be decoded, whose index was got anew.

  bool is_spoiled() const { return is_spoiled_.load(); }
  /// Says that another version was found. May be called by several threads at once, as the next function.
  void NoteChange() { is_changed_ = is_spoiled_ = true; }
  /// Of several failures, that of the lowest task is kept.
  void NoteFailure(Failure failure) {
    {
      const std::lock_guard lock(mutex_);
      if (!failure_ || failure.task < failure_->task) failure_ = std::move(failure);
    }
    is_spoiled_ = true;
  }
  /// Makes a spoiled shard one that is not opened. Returns the failure, unless a change explains it.
  std::optional<Failure> Reset() {
    is_opened = false;
    shard = nullptr;
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
