// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// The snapshot of an array that an object shows now. Any number of threads may use it while one replaces it, for
/// instance because it takes waiting attributes: what `operator->` returns stays valid for several replacements. A call
/// that may take long holds `shared()`.
class CurrentArray {
 public:
  explicit CurrentArray(std::shared_ptr<const zarr::Array> array) { Set(std::move(array)); }

  const zarr::Array* operator->() const { return current_.load(std::memory_order_acquire); }
  const zarr::Array& operator*() const { return *operator->(); }
  std::shared_ptr<const zarr::Array> shared() const {
    const std::lock_guard lock(mutex_);
    return snapshots_.back();
  }
  void Set(std::shared_ptr<const zarr::Array> array) {
    const std::lock_guard lock(mutex_);
    if (snapshots_.size() == kMostSnapshots) snapshots_.erase(snapshots_.begin());
    snapshots_.push_back(std::move(array));
    current_.store(snapshots_.back().get(), std::memory_order_release);
  }

 private:
  static constexpr std::size_t kMostSnapshots = 8;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const zarr::Array>> snapshots_;  // the last one is the present one
  std::atomic<const zarr::Array*> current_ = nullptr;
};

}  // namespace gdal_zarr
