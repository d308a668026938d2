// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "zarrlib/store/store.h"

namespace zarr {

/// A clock of the process that moves on whenever an array is opened. Thread-safe.
class OpeningClock {
 public:
  static std::uint64_t Now() { return time_.load(); }
  /// Returns a new time, later than all times before.
  static std::uint64_t Advance() { return time_.fetch_add(1) + 1; }

 private:
  inline static std::atomic<std::uint64_t> time_{0};
};

/// One state of a stored value, from which a cached object was made, and the time when the store was last asked for it.
/// An array that was opened later asks again, once. Thread-safe.
class ValueState {
 public:
  /// `asked` is a time, of OpeningClock, before the value was read.
  ValueState(VersionStamp stamp, std::uint64_t asked) : stamp_(std::move(stamp)), asked_(asked) {}

  const VersionStamp& stamp() const { return stamp_; }
  /// Whether the store has been asked since that time.
  bool IsKnownSince(std::uint64_t time) const { return asked_.load() >= time; }
  /// Asks the store for the value's stamp, unless it has been asked since `opened`. Returns false if the value changed,
  /// may have changed, or is gone: objects made from it may then not be used. `now` is a time before this call.
  bool Check(const Store& store, std::string_view key, std::uint64_t opened, std::uint64_t now) const {
    if (IsKnownSince(opened)) return true;
    VersionStamp stamp;
    if (!stamp_.settled || !store.GetStamp(key, &stamp) || stamp != stamp_) return false;
    for (std::uint64_t asked = asked_.load(); asked < now && !asked_.compare_exchange_weak(asked, now);) {
    }
    return true;
  }
  /// Whether both states, each of which was once the store's, are the same.
  bool IsSame(const ValueState& other) const {
    return this == &other || (stamp_.settled && other.stamp_.settled && stamp_ == other.stamp_);
  }

 private:
  const VersionStamp stamp_;
  mutable std::atomic<std::uint64_t> asked_;
};

}  // namespace zarr
