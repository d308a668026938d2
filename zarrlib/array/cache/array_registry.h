#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace zarr {

/// Where an array stands, whatever its metadata say: what all handles of it share, snapshots of other metadata
/// included. Thread-safe.
class ArrayPlace {
 public:
  /// Moves on whenever chunks have been stored. Who read a chunk before may not put it in a cache after.
  const std::atomic<std::uint64_t>& generation() const { return generation_; }
  void Advance() { generation_.fetch_add(1); }

  void Add(std::uint64_t id);
  void Remove(std::uint64_t id);
  /// The least id above another one of the snapshots that are open; nothing after the last. Takes no memory: what is
  /// out of date can be dropped without any.
  std::optional<std::uint64_t> Next(std::uint64_t id) const;

 private:
  /// One for the process: a child of a fork finds the places of its parent.
  static std::mutex& Mutex();

  std::atomic<std::uint64_t> generation_{0};
  std::vector<std::uint64_t> ids_;
};

/// One snapshot of an array's metadata at one place: the name under which caches know its chunks. An id is never used
/// twice: what is opened after the last handle was closed sees the store's bytes anew.
class ArrayIdentity {
 public:
  /// The same for all handles that are open at the same time. `digest` tells metadata apart.
  static std::shared_ptr<const ArrayIdentity> Of(const std::string& store, const std::string& path, std::size_t digest);
  ~ArrayIdentity();
  ArrayIdentity(const ArrayIdentity&) = delete;
  ArrayIdentity& operator=(const ArrayIdentity&) = delete;

  /// Drops what the caches hold of the array at `path` and of those below it, for all handles that are open: to be
  /// called once they have been removed, moved or replaced.
  static void Forget(const std::string& store, const std::string& path);

  std::uint64_t id() const { return id_; }
  ArrayPlace& place() const { return *place_; }

 private:
  ArrayIdentity(std::uint64_t id, std::shared_ptr<ArrayPlace> place);

  const std::uint64_t id_;
  const std::shared_ptr<ArrayPlace> place_;
};

}  // namespace zarr
