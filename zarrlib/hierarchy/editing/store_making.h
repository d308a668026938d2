// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "zarrlib/store/store.h"

namespace zarr {

/// Records what a hierarchy has created: the store itself, and nodes in it. Thread-safe.
class StoreMaking {
 public:
  /// `alone_for` is HierarchyOptions::alone_for.
  StoreMaking(const Store& store, std::chrono::milliseconds alone_for) : store_(store), alone_for_(alone_for) {}

  /// Records that the hierarchy has created the store, in a folder that was empty if the store can list. Must be called
  /// before other threads use the object.
  void SetMadeStore();
  bool made_in_empty_place() const { return made_in_empty_place_; }
  /// Returns true if the hierarchy has just created the remote store, so that no other process is expected to have
  /// changed it yet.
  bool IsAlone() const;

  void Add(std::string_view path);
  void Remove(std::string_view path);
  bool HasMade(std::string_view path) const;
  /// Returns the paths of nodes that were created after the first `count` ones, in order; nullopt if there are fewer.
  std::optional<std::vector<std::string>> GetSince(std::size_t count) const;

 private:
  const Store& store_;
  const std::chrono::milliseconds alone_for_;
  bool made_in_empty_place_ = false;
  std::chrono::steady_clock::time_point made_at_;
  mutable std::mutex mutex_;
  std::vector<std::string> paths_;  // in order
  std::unordered_set<std::string> names_;
};

}  // namespace zarr
