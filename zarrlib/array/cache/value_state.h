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
  /// The time of a new opening: later than all that was before.
  static std::uint64_t Advance() { return time_.fetch_add(1) + 1; }

 private:
  inline static std::atomic<std::uint64_t> time_{0};
};

/// One state of a stored value from which something was made that is kept, and when the store was last asked for it.
/// Who opened the array later than that asks again, once. Thread-safe.
class ValueState {
 public:
  /// `asked` is the time, of OpeningClock, before the value was read.
  ValueState(VersionStamp stamp, std::uint64_t asked) : stamp_(std::move(stamp)), asked_(asked) {}

  const VersionStamp& stamp() const { return stamp_; }
  /// Whether the store has been asked since a time.
  bool IsKnownSince(std::uint64_t time) const { return asked_.load() >= time; }
  /// Asks the store, unless it has been asked since `opened`. False if the value has changed, is gone, or may have
  /// changed; nothing that was made of it may be used then. `now` is a time before this is called.
  bool Check(const Store& store, std::string_view key, std::uint64_t opened, std::uint64_t now) const {
    if (IsKnownSince(opened)) return true;
    VersionStamp stamp;
    if (!stamp_.settled || !store.GetStamp(key, &stamp) || stamp != stamp_) return false;
    for (std::uint64_t asked = asked_.load(); asked < now && !asked_.compare_exchange_weak(asked, now);) {
    }
    return true;
  }
  /// Whether two states, each of which was the store's when it was read, are one.
  bool IsSame(const ValueState& other) const {
    return this == &other || (stamp_.settled && other.stamp_.settled && stamp_ == other.stamp_);
  }

 private:
  const VersionStamp stamp_;
  mutable std::atomic<std::uint64_t> asked_;
};

}  // namespace zarr
