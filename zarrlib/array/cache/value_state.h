// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "zarrlib/store/store.h"

namespace zarr {

/// A process-wide clock that advances whenever an array is opened. Thread-safe.
class OpeningClock {
 public:
  static std::uint64_t Now() { return time_.load(); }
  /// Returns a new time, later than all previous ones.
  static std::uint64_t Advance() { return time_.fetch_add(1) + 1; }

 private:
  inline static std::atomic<std::uint64_t> time_{0};
};

/// The state of a stored value from which a cached object was made, and the time of the last check with the store. An
/// array that was opened later checks again, once. Thread-safe.
class ValueState {
 public:
  /// `asked` is an OpeningClock time before the value was read.
  ValueState(VersionStamp stamp, std::uint64_t asked) : stamp_(std::move(stamp)), asked_(asked) {}

  const VersionStamp& stamp() const { return stamp_; }
  /// Returns true if the store has been asked since that time.
  bool IsKnownSince(std::uint64_t time) const { return asked_.load() >= time; }
  /// Asks the store for the value's stamp, unless it has been asked since `opened`. Returns false if the value has
  /// changed, may have changed, or no longer exists: objects made from it must then not be used. `now` is a time before
  /// this call.
  bool Check(const Store& store, std::string_view key, std::uint64_t opened, std::uint64_t now) const {
    if (IsKnownSince(opened)) return true;
    VersionStamp stamp;
    if (!stamp_.settled || !store.GetStamp(key, &stamp) || stamp != stamp_) return false;
    for (std::uint64_t asked = asked_.load(); asked < now && !asked_.compare_exchange_weak(asked, now);) {
    }
    return true;
  }
  /// Returns true if both states, each of which was once the present state in the store, are the same.
  bool IsSame(const ValueState& other) const {
    return this == &other || (stamp_.settled && other.stamp_.settled && stamp_ == other.stamp_);
  }

 private:
  const VersionStamp stamp_;
  mutable std::atomic<std::uint64_t> asked_;
};

}  // namespace zarr
