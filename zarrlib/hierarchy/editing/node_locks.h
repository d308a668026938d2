// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "zarrlib/store/store.h"

namespace zarr {

/// The locks of one hierarchy that changes its store. Thread-safe.
class NodeLocks {
 public:
  explicit NodeLocks(const Store& store) : store_(store) {}

  /// Held by the thread that makes a change: one at a time.
  std::mutex& change_mutex() { return change_mutex_; }
  /// Locks documents, with all values of their nodes, while the returned object lives. Those that this has locked
  /// already stay locked. A change must have begun.
  std::shared_ptr<void> LockDocuments(std::vector<std::string> keys);
  /// Excludes other series of changes by this hierarchy while the returned object lives. To be called before a change
  /// begins.
  std::shared_ptr<void> BeginSeries();

 private:
  const Store& store_;
  std::mutex series_mutex_;  // taken before `change_mutex_`
  std::mutex change_mutex_;
  std::mutex locked_mutex_;
  std::set<std::string, std::less<>> locked_;  // the keys of the documents that are locked
};

}  // namespace zarr
