// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "zarrlib/store/store.h"

namespace zarr {

/// Saves a read of many chunks the looks for absent ones: when values of a folder turn out to be absent, it asks the
/// store for the names in that folder, once; on a network, for the names of all values of the array. It lives as long
/// as one read, so that the next read sees what was added. Does nothing for stores that cannot tell names in one look,
/// and for reads of few chunks. Thread-safe.
class AbsentChunks {
 public:
  /// For a read of that many chunks, whose keys start with `prefix`.
  AbsentChunks(const Store& store, std::string prefix, std::uint64_t chunks);

  /// Whether the value is known to be absent.
  bool Contains(std::string_view key) const;
  /// Notes that a value is absent.
  void Note(std::string_view key);

 private:
  using Names = std::unordered_set<std::string>;
  struct Folder {
    std::uint64_t absent = 0;    // values that were asked for
    std::optional<Names> names;  // of all entries; nothing if they are not known
  };

  void NoteOnNetwork();

  const Store& store_;
  const std::string prefix_;
  const std::uint64_t chunks_;
  const bool on_network_;
  const bool is_used_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::string, Folder> folders_;
  std::atomic<std::uint64_t> absent_ = 0;  // on a network
  std::optional<Names> keys_;              // all below the prefix, without it; nothing if they are not known
};

}  // namespace zarr
