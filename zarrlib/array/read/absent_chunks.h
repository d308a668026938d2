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

/// Saves a read of many chunks the looks for absent ones: when values of a folder turn out to be absent, it asks the
/// store for the names in that folder, once; on a network, ListedChunks tells them. It lives as long as one read, so
/// that the next read sees what was added. Does nothing for stores that cannot tell names in one look, and on a disk
/// for reads of few chunks. Thread-safe.
class AbsentChunks {
 public:
  /// For a read of that many chunks. The array has to live longer than this object.
  AbsentChunks(const Array& array, std::uint64_t chunks);

  /// Whether the value is known to be absent.
  bool Contains(std::string_view key);
  /// Notes that a value is absent.
  void Note(std::string_view key);

 private:
  using Names = std::unordered_set<std::string>;
  struct Folder {
    std::uint64_t absent = 0;    // values that were asked for
    std::optional<Names> names;  // of all entries; nothing if they are not known
  };

  const Store& store_;
  const bool is_used_;
  std::optional<ListedChunks> listed_;  // on a network
  std::shared_mutex mutex_;
  std::unordered_map<std::string, Folder> folders_;
};

}  // namespace zarr
