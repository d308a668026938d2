// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zarrlib/store/store.h"

/// Locks of values. They are advisory: they exclude each other, and nothing else. They end with their process. A caller
/// that has one lock waits for no other one (but see LockAll), and calls no function of a user.
namespace zarr {

/// The exclusive right to change values. It ends with the object, which any thread may destroy.
class StoreLock {
 public:
  virtual ~StoreLock() = default;
};

/// The answer to `Lock`.
struct LockResult {
  std::unique_ptr<StoreLock> lock;  ///< Null if another thread or process has the right.
  bool has_document = true;         ///< False if the store has no document of that key.
  /// The document as it is while the lock is held; nothing if the store would have to look for it.
  std::optional<VersionStamp> stamp;
};

/// Locks that exclude other processes. Thread-safe.
class StoreLocks {
 public:
  virtual ~StoreLocks() = default;

  /// As zarr::Lock.
  virtual LockResult Lock(std::string_view document, std::string_view value, bool waits) const = 0;
  /// As zarr::LockFolder.
  virtual std::unique_ptr<StoreLock> LockFolder(std::string_view prefix) const = 0;
  /// Locks a temporary file, so that nobody takes it for abandoned, while the returned object lives. Returns null if
  /// the file is absent, or if another process or another object of this process has the lock.
  virtual std::shared_ptr<void> TryHold(std::string_view key) const = 0;
  /// The reason for which a lock excluded this process only; "" if none did.
  virtual std::string fault() const = 0;
};

// For every store. Where it has no locks between processes, these exclude the other threads of this process.

/// Locks values of a node for a change that reads before it writes. `document` is the key of the metadata document that
/// tells the node's kind, and `value` the key of the value, or "" for all values of the node, its documents included.
/// Waits until no other lock is on what is to be locked, unless `waits` is false.
LockResult Lock(const Store& store, std::string_view document, std::string_view value, bool waits = true);
/// Locks a folder, named by a prefix, for a series of changes to the nodes in it, each of which has locks of its own
/// besides. Waits. Excludes only those that call this function, and whom Lock excludes. A caller locks a folder before
/// anything else.
std::unique_ptr<StoreLock> LockFolder(const Store& store, std::string_view prefix);
/// As StoreLocks::TryHold; a store that only one process can see always gives an object.
std::shared_ptr<void> TryHold(const Store& store, std::string_view key);
/// Locks all values of several nodes. While it waits for one of them, it has none: so nobody waits in a circle.
std::vector<LockResult> LockAll(const Store& store, const std::vector<std::string>& documents);

}  // namespace zarr
