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

/// Tells a read which chunks of an array on a network are absent, by a list of the array's keys. The list is made when
/// several values turned out to be absent, in this read if it is one of many chunks, else in reads before it; threads
/// that want to know meanwhile wait. Reads in the next seconds (KeyList::kHolds) use it too, but for chunks that were
/// not read before: whoever reads a chunk again may want to see what another process has put there since. Such a chunk
/// is looked for anew, by another list if the read is one of many chunks, else by a request. Thread-safe.
class ListedChunks {
 public:
  /// For a read of that many chunks. The array has to live longer than this object.
  ListedChunks(const Array& array, std::uint64_t chunks);

  /// Whether the value is known to be absent.
  bool IsAbsent(std::string_view key);
  /// Notes that a request has found a value absent.
  void NoteAbsent(std::string_view key);

 private:
  using List = std::shared_ptr<const KeyList>;

  /// A key without the prefix of the array's chunks.
  std::string_view GetName(std::string_view key) const { return key.substr(array_.chunk_prefix().size()); }
  /// The list of this read, after one that is being made has come, or null; and whether this read has made it. The
  /// first call takes the list that there is, or makes one if earlier reads make it worth it.
  std::pair<List, bool> GetList();
  /// Makes a list of at most `most` keys, unless this read has tried. Returns the list that it has made, or null.
  List MakeList(std::size_t most);
  /// As above, for a caller that has the mutex, and has it afterwards.
  void MakeList(std::size_t most, std::unique_lock<std::mutex>* lock);
  /// Returns null if the store does not tell so many keys.
  List AskForKeys(std::size_t most) const;

  const Array& array_;
  const std::uint64_t chunks_;
  std::atomic<std::uint64_t> absent_ = 0;  // for which requests were sent
  std::mutex mutex_;
  std::condition_variable made_;
  bool has_begun_ = false;
  bool is_making_ = false;
  bool was_tried_ = false;  // to make a list, by this read
  bool is_own_ = false;     // this read has made the list
  List list_;
};

}  // namespace zarr
