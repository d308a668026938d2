// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "zarrlib/base/fork_safety.h"
#include "zarrlib/store/icechunk/manifest.h"
#include "zarrlib/store/store.h"

namespace zarr {

/// The manifests of a repository. Each is read when it is used for the first time, and stays in memory until the others
/// that were used since then need more than `kMaxMemory` bytes. Thread-safe; threads that need the same manifest wait
/// for the one that reads it.
class Manifests {
 public:
  static constexpr std::uint64_t kMaxMemory = std::uint64_t{512} << 20;

  explicit Manifests(std::shared_ptr<const Store> repository) : repository_(std::move(repository)) {}

  /// Throws the errors of ReadObject, and Error(io) for a manifest that is missing.
  std::shared_ptr<const Manifest> Get(const ObjectId& id) const;

 private:
  struct Slot;

  void MakeRoom() const;

  const std::shared_ptr<const Store> repository_;
  mutable ForkSafeMutex mutex_;
  mutable std::map<ObjectId, std::shared_ptr<Slot>> slots_;
  mutable std::uint64_t uses_ = 0;
};

}  // namespace zarr
