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

/// A list of the keys that an array in a store on a network has.
class KeyList {
 public:
  using Time = std::chrono::steady_clock::time_point;
  /// For how long later reads use a list.
  static constexpr std::chrono::seconds kHolds{5};

  /// When a list was made: `opened` by OpeningClock and the array's generation, both before the store was asked, and
  /// the time at which the list had come.
  struct Origin {
    std::uint64_t opened = 0;
    std::uint64_t generation = 0;
    Time made;
  };

  KeyList(const std::vector<std::string>& keys, const Origin& origin)
      : keys_(keys.begin(), keys.end()), origin_(origin) {}

  /// Whether a read that begins at `now` may use the list: it is new, the array was opened before it was made, and
  /// this process has stored no chunk since.
  bool Holds(std::uint64_t opened, std::uint64_t generation, Time now) const;
  /// Whether the array has a key, which is given without the prefix of the array's chunks.
  bool Contains(std::string_view key) const { return keys_.contains(std::string(key)); }
  std::size_t size() const { return keys_.size(); }

 private:
  const std::unordered_set<std::string> keys_;
  const Origin origin_;
};

/// The lists of arrays that are open, for the whole process; which chunks were read and found absent; and what speaks
/// for making a list: the absent values for which requests were sent. Thread-safe.
class KeyListCache {
 public:
  /// The keys that one request tells.
  static constexpr std::size_t kKeysOfRequest = 1000;
  static constexpr std::size_t kMostKeys = std::size_t{1} << 20;

  static KeyListCache& GetShared();

  /// Returns null if there is none.
  std::shared_ptr<const KeyList> Find(std::uint64_t array_id);
  void Put(std::uint64_t array_id, std::shared_ptr<const KeyList> list);
  /// Notes that a chunk was read, and is absent. Returns false if it was noted before, or if that cannot be told.
  bool NoteRead(std::uint64_t array_id, std::string_view key);
  /// Notes that a request has found a value absent, and that a list of so many keys would have been worth it.
  void NoteRequest(std::uint64_t array_id, std::size_t keys);
  /// Notes that the store did not tell that many keys.
  void NoteTooLong(std::uint64_t array_id, std::size_t most);
  /// How many keys are worth being listed before the next read. Nothing if too few values were absent since the last
  /// list, or if a list of about that length was tried already.
  std::optional<std::size_t> GetWorth(std::uint64_t array_id);
  /// Whether a list of so many keys turned out to be too short.
  bool IsTooLong(std::uint64_t array_id, std::size_t most);
  void EraseArray(std::uint64_t array_id);

 private:
  struct Entry {
    std::shared_ptr<const KeyList> list;
    std::unordered_set<std::string> read;  // chunks that were read, and are absent
    std::uint64_t absent = 0;              // requests since the last list that found nothing
    std::size_t worth = 0;                 // the keys of a list that they were worth
    std::size_t too_short = 0;             // the longest list that did not do
  };

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Entry> entries_;
};

}  // namespace zarr
