#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "zarrlib/array/array_writer.h"

namespace gdal_zarr {

/// The writers of a dataset's arrays, one per array whoever writes to it. Thread-safe. All functions throw zarr::Error.
class WriterPool {
 public:
  /// Writes a selection of the array at `array->path()`, with as many threads as GDAL_NUM_THREADS says (by default one
  /// per CPU). Returns false if `progress`, which may be empty, stopped it. `defer` is that of zarr::WriteOptions.
  /// Where more waits to be written in the process than is allowed (the smaller of GDAL_CACHEMAX and 256 MiB), the
  /// arrays written to least recently are flushed; an error of that is thrown when they are written to or flushed next.
  bool Write(const std::shared_ptr<const zarr::Array>& array, const zarr::Selection& selection,
             const zarr::ElementSource& source, const std::function<bool(double)>& progress = {}, bool defer = false);
  /// Stores what waits to be written to an array, for those who read it.
  void Flush(std::string_view path);
  void FlushAll();
  /// Goes on with another snapshot of an array whose metadata have changed. What waits must have been flushed.
  void Replace(const std::shared_ptr<const zarr::Array>& array);
  /// Forgets the writers of a node, which is deleted, and of all below it, with what waits.
  void Drop(std::string_view path);
  /// Gives a node, for which nothing waits, and all below it other paths.
  void Move(std::string_view from, std::string_view to);
  /// Of arrays that are written from now on.
  void SetStoreEmptyChunks(std::string_view path);

 private:
  struct Entry {
    std::shared_ptr<zarr::ArrayWriter> writer;  // null until something is written
    bool store_empty_chunks = false;
    std::uint64_t last_write = 0;  // the higher, the later
  };
  std::shared_ptr<zarr::ArrayWriter> Find(std::string_view path) const;
  std::shared_ptr<zarr::ArrayWriter> FindOrMake(const std::shared_ptr<const zarr::Array>& array);
  /// After a write by `written`.
  void SaveExcess(const zarr::ArrayWriter& written, const zarr::WriteOptions& call) const;

  mutable std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;  // by path
  std::uint64_t writes_ = 0;
};

}  // namespace gdal_zarr
