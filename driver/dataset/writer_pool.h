// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "zarrlib/array/array_writer.h"

namespace gdal_zarr {

/// The writers of a dataset's arrays, one per array. Thread-safe. All functions throw zarr::Error.
class WriterPool {
 public:
  /// Writes a selection of the array at `array->path()`, with as many threads as GDAL_NUM_THREADS says (by default one
  /// per CPU). Returns false if `progress`, which may be empty, stopped it. `defer` is that of zarr::WriteOptions. If
  /// more bytes are pending in the process than the smaller of GDAL_CACHEMAX and 256 MiB, the arrays that were written
  /// to least recently are flushed; a failure of that is thrown when they are next written to, read or flushed.
  bool Write(const std::shared_ptr<const zarr::Array>& array, const zarr::Selection& selection,
             const zarr::ElementSource& source, const std::function<bool(double)>& progress = {}, bool defer = false);
  /// Saves the pending data of an array. Call this before reading from the store.
  void Flush(std::string_view path);
  /// As Flush, before the array's writer is dropped: throws an error that an earlier call has told once more, because
  /// later ones will not.
  void Finish(std::string_view path);
  void FlushAll();
  /// Continues with another snapshot of an array whose metadata have changed. Its pending data must have been flushed.
  void Replace(const std::shared_ptr<const zarr::Array>& array);
  /// Drops the writers of a deleted node and of all below it, with their pending data.
  void Drop(std::string_view path);
  /// Moves the writers of a node and of all below it to other paths. They must have no pending data.
  void Move(std::string_view from, std::string_view to);
  /// How the chunks of an array are stored.
  struct Policy {
    bool store_empty_chunks = false;  ///< Chunks that hold nothing but the fill value are stored too.
    bool refuse_partial = false;      ///< A chunk that is written in part is an error.
  };
  /// The policy for arrays that have none of their own.
  void SetPolicy(const Policy& policy);
  /// The policy for later writes to an array.
  void SetPolicy(std::string_view path, const Policy& policy);

 private:
  struct Entry {
    std::shared_ptr<zarr::ArrayWriter> writer;  // null until something is written
    std::optional<Policy> policy;
    std::uint64_t last_write = 0;  // increases with each write
    bool is_untold = false;        // whether it has failed, and no caller knows
  };
  std::shared_ptr<zarr::ArrayWriter> Find(std::string_view path) const;
  std::shared_ptr<zarr::ArrayWriter> FindOrMake(const std::shared_ptr<const zarr::Array>& array);
  /// Flushes arrays until the limit is kept, after a write by `written`.
  void SaveExcess(const zarr::ArrayWriter& written, const zarr::WriteOptions& call);
  void NoteUntold(const zarr::ArrayWriter& failed);
  /// Whether a caller is still to be told of a failure of the array's writer. From now on it counts as told.
  bool TakeUntold(std::string_view path);

  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;  // by path
  std::uint64_t writes_ = 0;
  Policy policy_;
};

}  // namespace gdal_zarr
