// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace zarr {

/// The location of an array, regardless of its metadata. Shared by all handles of the array, including snapshots with
/// other metadata. Thread-safe.
class ArrayPlace {
 public:
  /// Returns a counter that grows whenever chunks have been stored. A chunk that was read before that must not be
  /// cached after it.
  const std::atomic<std::uint64_t>& generation() const { return generation_; }
  void Advance() { generation_.fetch_add(1); }

  void Add(std::uint64_t id);
  void Remove(std::uint64_t id);
  /// Returns the smallest id of an open snapshot above `id`; nullopt after the last one. Does not allocate, so that
  /// outdated chunks can always be dropped.
  std::optional<std::uint64_t> FindNext(std::uint64_t id) const;

 private:
  /// Returns one mutex for all objects: the child of a fork finds the objects of its parent.
  static std::mutex& GetMutex();

  std::atomic<std::uint64_t> generation_{0};
  std::vector<std::uint64_t> ids_;
};

/// The identity of one snapshot of an array's metadata at one location. Its id is the cache key of the snapshot's
/// chunks. Ids are never reused: an array that is opened after its last handle was closed reads the store again.
class ArrayIdentity {
 public:
  /// Returns the identity that is shared by all handles open at the same time. `digest` distinguishes different
  /// metadata.
  static std::shared_ptr<const ArrayIdentity> Get(const std::string& store, const std::string& path,
                                                  std::size_t digest);
  ~ArrayIdentity();
  ArrayIdentity(const ArrayIdentity&) = delete;
  ArrayIdentity& operator=(const ArrayIdentity&) = delete;

  /// Drops the cached data of the arrays at and below `path`, for all open handles. Call this after they were removed,
  /// moved or replaced.
  static void Forget(const std::string& store, const std::string& path);

  std::uint64_t id() const { return id_; }
  ArrayPlace& place() const { return *place_; }

 private:
  ArrayIdentity(std::uint64_t id, std::shared_ptr<ArrayPlace> place);

  const std::uint64_t id_;
  const std::shared_ptr<ArrayPlace> place_;
};

}  // namespace zarr
