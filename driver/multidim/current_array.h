// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "zarrlib/array/array.h"

namespace gdal_zarr {

/// The snapshot of an array that an object shows now. Any number of threads may use it while one replaces it, for
/// instance because it takes waiting attributes: what `operator->` returns stays valid for several replacements. A call
/// that may take long holds `shared()`. Readers take no lock, which the child of a fork might find locked for ever.
class CurrentArray {
 public:
  explicit CurrentArray(std::shared_ptr<const zarr::Array> array) { Set(std::move(array)); }

  const zarr::Array* operator->() const { return current_.load(std::memory_order_acquire)->get(); }
  const zarr::Array& operator*() const { return *operator->(); }
  std::shared_ptr<const zarr::Array> shared() const { return *current_.load(std::memory_order_acquire); }
  void Set(std::shared_ptr<const zarr::Array> array) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const zarr::Array>& snapshot = snapshots_[next_];
    snapshot = std::move(array);
    current_.store(&snapshot, std::memory_order_release);
    next_ = (next_ + 1) % snapshots_.size();
  }

 private:
  std::mutex mutex_;                                               // held while one is replaced
  std::array<std::shared_ptr<const zarr::Array>, 8> snapshots_{};  // the last ones
  std::size_t next_ = 0;
  std::atomic<const std::shared_ptr<const zarr::Array>*> current_ = nullptr;
};

}  // namespace gdal_zarr
