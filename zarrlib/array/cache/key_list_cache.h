// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace zarr {

/// A list of the existing keys of an array in a remote store.
class KeyList {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// How long later reads use a list.
  static constexpr std::chrono::seconds kHolds{5};

  /// When a list was made: `opened` (from OpeningClock) and the array's generation, both from before the request, and
  /// the time at which the list was received.
  struct Origin {
    std::uint64_t opened = 0;
    std::uint64_t generation = 0;
    Time made;
  };

  KeyList(const std::vector<std::string>& keys, const Origin& origin)
      : keys_(keys.begin(), keys.end()), origin_(origin) {}

  /// Returns true if a read that begins at `now` may use the list: it is recent, the array was opened before it was
  /// made, and this process has not stored chunks since.
  bool Holds(std::uint64_t opened, std::uint64_t generation, Time now) const;
  /// Returns true if the array has a key, which is given without the prefix of the array's chunks.
  bool Contains(std::string_view key) const { return keys_.contains(std::string(key)); }
  std::size_t size() const { return keys_.size(); }

 private:
  const std::unordered_set<std::string> keys_;
  const Origin origin_;
};

/// The key lists of open arrays, for the whole process. Also records which chunks were read and found absent, and how
/// many requests for absent values would have justified a list. Thread-safe.
class KeyListCache {
 public:
  /// The number of keys that one request returns.
  static constexpr std::size_t kKeysOfRequest = 1000;
  static constexpr std::size_t kMostKeys = std::size_t{1} << 20;

  static KeyListCache& GetShared();

  /// Returns null if there is none.
  std::shared_ptr<const KeyList> Find(std::uint64_t array_id);
  void Put(std::uint64_t array_id, std::shared_ptr<const KeyList> list);
  /// Records that a chunk was read and is absent. Returns false if it was already recorded, or if this is unknown.
  bool NoteRead(std::uint64_t array_id, std::string_view key);
  /// Records that a request has found a value absent, which would have justified a list of `keys` keys.
  void NoteRequest(std::uint64_t array_id, std::size_t keys);
  /// Records that the store could not return that many keys.
  void NoteTooLong(std::uint64_t array_id, std::size_t most);
  /// Returns how many keys are worth listing before the next read. Returns nullopt if too few values were absent since
  /// the last list, or if a list of about that length has already been tried.
  std::optional<std::size_t> GetWorth(std::uint64_t array_id);
  /// Returns true if a list of at most `most` keys turned out to be too short.
  bool IsTooLong(std::uint64_t array_id, std::size_t most);
  void EraseArray(std::uint64_t array_id);

 private:
  struct Entry {
    std::shared_ptr<const KeyList> list;
    std::unordered_set<std::string> read;  // absent chunks that were read
    std::uint64_t absent = 0;              // requests since the last list that found no value
    std::size_t worth = 0;                 // the number of keys of a list that they justify
    std::size_t too_short = 0;             // the longest list that was too short
  };

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Entry> entries_;
};

}  // namespace zarr
