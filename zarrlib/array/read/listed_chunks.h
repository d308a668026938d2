// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "zarrlib/array/array.h"
#include "zarrlib/array/cache/key_list_cache.h"

namespace zarr {

/// Determines which chunks of an array in a remote store are absent, from a list of the array's keys. The list is
/// requested when several values turned out to be absent: in this read if it has many chunks, otherwise in earlier
/// reads. Threads that need it wait for it.
///
/// Reads in the next seconds (KeyList::kHolds) also use it, but only for chunks that were not read before: a caller
/// that reads a chunk again may be waiting for another process to store it. Such a chunk is looked up again, with a new
/// list if the read has many chunks, otherwise with a request. Thread-safe.
class ListedChunks {
 public:
  /// `chunks` is the number of chunks to read. The array must outlive this object.
  ListedChunks(const Array& array, std::uint64_t chunks);

  /// Returns true if the value is known to be absent.
  bool IsAbsent(std::string_view key);
  /// Records that a request has found a value absent.
  void NoteAbsent(std::string_view key);

 private:
  using List = std::shared_ptr<const KeyList>;

  /// Returns a key without the prefix of the array's chunks.
  std::string_view GetName(std::string_view key) const { return key.substr(array_.chunk_prefix().size()); }
  /// Returns the list of this read, or null, after waiting for a list that is being requested, and true if this read
  /// has requested it. The first call uses the existing list, or requests one if earlier reads justify it.
  std::pair<List, bool> GetList();
  /// Requests a list of at most `most` keys, unless this read has already tried. Returns the list, or null.
  List MakeList(std::size_t most);
  /// Like the function above, for a caller that holds the mutex before and after the call.
  void MakeList(std::size_t most, std::unique_lock<std::mutex>* lock);
  /// Returns null if the store does not return that many keys.
  List AskForKeys(std::size_t most) const;

  const Array& array_;
  const std::uint64_t chunks_;
  std::atomic<std::uint64_t> absent_ = 0;  // number of requests that were sent for absent values
  std::mutex mutex_;
  std::condition_variable made_;
  bool has_begun_ = false;
  bool is_making_ = false;
  bool was_tried_ = false;  // true once this read has tried to request a list
  bool is_own_ = false;     // true if this read has requested the list
  List list_;
};

}  // namespace zarr
