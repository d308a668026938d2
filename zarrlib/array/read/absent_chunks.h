// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "zarrlib/array/array.h"
#include "zarrlib/array/read/listed_chunks.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// Saves a read of many chunks the lookups of absent ones. When values in a folder turn out to be absent, lists the
/// folder once; in a remote store, uses ListedChunks. Lives as long as one read, so that the next read sees added
/// chunks. Does nothing for stores that cannot list names in a single lookup, and for local reads of few chunks.
/// Thread-safe.
class AbsentChunks {
 public:
  /// `chunks` is the number of chunks to read. The array must outlive this object.
  AbsentChunks(const Array& array, std::uint64_t chunks);

  /// Returns true if the value is known to be absent.
  bool Contains(std::string_view key);
  /// Records that a value is absent.
  void Note(std::string_view key);

 private:
  using Names = std::unordered_set<std::string>;
  struct Folder {
    std::uint64_t absent = 0;    // number of absent values that were requested
    std::optional<Names> names;  // of all entries; nullopt if unknown
  };

  const Store& store_;
  const bool is_used_;
  std::optional<ListedChunks> listed_;  // only for remote stores
  std::shared_mutex mutex_;
  std::unordered_map<std::string, Folder> folders_;
};

}  // namespace zarr
