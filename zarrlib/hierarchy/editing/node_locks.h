// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "zarrlib/store/store.h"

namespace zarr {

/// The locks of a hierarchy that changes its store. Thread-safe.
class NodeLocks {
 public:
  explicit NodeLocks(const Store& store) : store_(store) {}

  /// Held by the thread that makes a change; only one thread at a time.
  std::mutex& change_mutex() { return change_mutex_; }
  /// Returns the number of changes that have ended, whether or not they have failed (CountedChange).
  std::uint64_t changes() const { return changes_; }
  void CountChange() { ++changes_; }
  /// Locks documents, and all values of their nodes, while the returned object exists. Documents that this object has
  /// already locked stay locked. A change must have begun.
  std::shared_ptr<void> LockDocuments(std::vector<std::string> keys);
  /// Excludes other series of changes by this hierarchy while the returned object exists. Must be called before a
  /// change begins.
  std::shared_ptr<void> BeginSeries();

 private:
  const Store& store_;
  std::mutex series_mutex_;  // taken before `change_mutex_`
  std::mutex change_mutex_;
  std::atomic<std::uint64_t> changes_ = 0;
  std::mutex locked_mutex_;
  std::set<std::string, std::less<>> locked_;  // the keys of the locked documents
};

/// A change of nodes by the thread that made this object, while it exists.
class CountedChange {
 public:
  explicit CountedChange(NodeLocks& locks) : locks_(locks), lock_(locks.change_mutex()) {}
  CountedChange(const CountedChange&) = delete;
  CountedChange& operator=(const CountedChange&) = delete;
  ~CountedChange() { locks_.CountChange(); }

 private:
  NodeLocks& locks_;
  const std::lock_guard<std::mutex> lock_;
};

}  // namespace zarr
