// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/store/store.h"

/// Locks of values. They are advisory: they only exclude each other. They end with their process. A caller that holds
/// one lock must not wait for another one (except in LockAll), and must not call user functions.
namespace zarr {

/// The exclusive right to change values. It ends when the object is destroyed, which any thread may do.
class StoreLock {
 public:
  virtual ~StoreLock() = default;
};

/// The result of `Lock`.
struct LockResult {
  std::unique_ptr<StoreLock> lock;  ///< Null if another thread or process has the right.
  bool has_document = true;         ///< False if the store does not have the document.
  /// The stamp of the document while the lock is held; nullopt if getting it needs a lookup.
  std::optional<VersionStamp> stamp;
};

/// Locks that exclude other processes. Thread-safe.
class StoreLocks {
 public:
  virtual ~StoreLocks() = default;

  /// Like zarr::Lock.
  virtual LockResult Lock(std::string_view document, std::string_view value, bool waits) const = 0;
  /// Like zarr::LockFolder.
  virtual std::unique_ptr<StoreLock> LockFolder(std::string_view prefix) const = 0;
  /// Locks a temporary file while the returned object exists, so that other processes do not treat it as abandoned.
  /// Returns null if the file is absent, or if another process or another object of this process has the lock.
  virtual std::shared_ptr<void> TryHold(std::string_view key) const = 0;
  /// In a store with conditions: makes the holder of a value's lock write it only if it is absent. Without a request.
  virtual void ExpectAbsent(std::string_view /*key*/) const {}
  /// Returns the reason why a lock excluded only threads of this process; "" if there was no such lock.
  virtual std::string fault() const = 0;
};

/// Returns true for a remote store that replaces values on conditions instead of having locks (ConditionalStore). A
/// change there may throw ChangedMeanwhile, and is then repeated (RepeatWhileOutrun).
bool HasConditions(const Store& store);

// The following functions work on every store. If it has no locks between processes, they exclude the other threads of
// this process.

/// Locks values of a node for a read-modify-write change. `document` is the key of the metadata document that
/// determines the node's kind. `value` is the key of the value, or "" for all values of the node, including its
/// documents. Waits for conflicting locks, unless `waits` is false.
LockResult Lock(const Store& store, std::string_view document, std::string_view value, bool waits = true);
/// Locks a folder, named by a prefix, for a series of changes to the nodes in it, which must still be locked for each
/// change. Waits. Excludes only other callers of LockFolder and of Lock. Lock a folder before anything else.
std::unique_ptr<StoreLock> LockFolder(const Store& store, std::string_view prefix);
/// Like StoreLocks::TryHold; for a store that is visible to one process only, always returns an object.
std::shared_ptr<void> TryHold(const Store& store, std::string_view key);
/// Locks all values of several nodes. Holds no locks while it waits for one, which prevents deadlocks.
std::vector<LockResult> LockAll(const Store& store, const std::vector<std::string>& documents);

}  // namespace zarr
