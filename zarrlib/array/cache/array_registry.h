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

/// The place of an array, whatever its metadata say. All handles of the array share it, snapshots with other metadata
/// included. Thread-safe.
class ArrayPlace {
 public:
  /// Grows whenever chunks have been stored. A chunk that was read before that may not be put into a cache after it.
  const std::atomic<std::uint64_t>& generation() const { return generation_; }
  void Advance() { generation_.fetch_add(1); }

  void Add(std::uint64_t id);
  void Remove(std::uint64_t id);
  /// The smallest id of an open snapshot above `id`; nothing after the last one. Takes no memory, so that chunks that
  /// are out of date can always be dropped.
  std::optional<std::uint64_t> FindNext(std::uint64_t id) const;

 private:
  /// One mutex for all places: the child of a fork finds the places of its parent.
  static std::mutex& GetMutex();

  std::atomic<std::uint64_t> generation_{0};
  std::vector<std::uint64_t> ids_;
};

/// One snapshot of an array's metadata at one place. Caches know the chunks of the snapshot by its id. An id is never
/// used twice: an array that is opened after its last handle was closed sees the bytes of the store anew.
class ArrayIdentity {
 public:
  /// The identity that all handles share which are open at the same time. `digest` tells different metadata apart.
  static std::shared_ptr<const ArrayIdentity> Get(const std::string& store, const std::string& path,
                                                  std::size_t digest);
  ~ArrayIdentity();
  ArrayIdentity(const ArrayIdentity&) = delete;
  ArrayIdentity& operator=(const ArrayIdentity&) = delete;

  /// Drops what the caches hold of the arrays at and below `path`, for all open handles. To be called after they were
  /// removed, moved or replaced.
  static void Forget(const std::string& store, const std::string& path);

  std::uint64_t id() const { return id_; }
  ArrayPlace& place() const { return *place_; }

 private:
  ArrayIdentity(std::uint64_t id, std::shared_ptr<ArrayPlace> place);

  const std::uint64_t id_;
  const std::shared_ptr<ArrayPlace> place_;
};

}  // namespace zarr
