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
  /// Writes a selection of the array at `array->path()`, with GDAL_NUM_THREADS threads (by default one per CPU).
  /// Returns false if `progress`, which may be empty, stopped it. `defer` has the meaning of zarr::WriteOptions::defer.
  /// If more bytes are pending in the process than the smaller of GDAL_CACHEMAX and 256 MiB, flushes the least recently
  /// written arrays. If that fails, the error is thrown when these arrays are next written, read or flushed.
  bool Write(const std::shared_ptr<const zarr::Array>& array, const zarr::Selection& selection,
             const zarr::ElementSource& source, const std::function<bool(double)>& progress = {}, bool defer = false);
  /// Reads a selection of the array with the elements that were written to it and are pending. Returns false if the
  /// options' `progress` stopped it.
  bool Read(const zarr::Array& array, const zarr::Selection& selection, const zarr::Destination& destination,
            const zarr::ReadOptions& options);
  /// Saves the pending data of an array. Call this before reading from the store.
  void Flush(std::string_view path);
  /// Like Flush. Call this before the array's writer is dropped: it also rethrows an error that an earlier call has
  /// reported, because later calls will not.
  void Finish(std::string_view path);
  void FlushAll();
  /// Continues with another snapshot of an array whose metadata has changed. Its pending data must have been flushed.
  void Replace(const std::shared_ptr<const zarr::Array>& array);
  /// Drops the writers of a deleted node and its descendants, with their pending data.
  void Drop(std::string_view path);
  /// Moves the writers of a node and its descendants to other paths. They must not have pending data.
  void Move(std::string_view from, std::string_view to);
  /// How the chunks of an array are stored.
  struct Policy {
    bool store_empty_chunks = false;  ///< Chunks that contain only the fill value are stored too.
    bool refuse_partial = false;      ///< Writing a part of a chunk is an error.
  };
  /// Sets the policy for arrays that do not have their own.
  void SetPolicy(const Policy& policy);
  /// Sets the policy for later writes to an array.
  void SetPolicy(std::string_view path, const Policy& policy);

 private:
  struct Entry {
    std::shared_ptr<zarr::ArrayWriter> writer;  // null before the first write
    std::optional<Policy> policy;
    std::uint64_t last_write = 0;  // increases with each write
    bool is_untold = false;        // true if it has failed and the error has not been reported to a caller
  };
  std::shared_ptr<zarr::ArrayWriter> Find(std::string_view path) const;
  std::shared_ptr<zarr::ArrayWriter> FindOrMake(const std::shared_ptr<const zarr::Array>& array);
  /// Flushes arrays until the limit is met, after a write by `written`.
  void SaveExcess(const zarr::ArrayWriter& written, const zarr::WriteOptions& call);
  void NoteUntold(const zarr::ArrayWriter& failed);
  /// Returns true if a failure of the array's writer has not been reported to a caller yet, and marks it as reported.
  bool TakeUntold(std::string_view path);

  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;  // by path
  std::uint64_t writes_ = 0;
  Policy policy_;
};

}  // namespace gdal_zarr
