// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "zarrlib/base/await.h"

namespace zarr {

/// A semaphore. Thread-safe. GCC's std::counting_semaphore loses wake-ups, so that a thread may wait for ever: in one
/// of two million rounds of three threads with GCC 12, and more often where the system cannot wait for a value in
/// memory.
class Semaphore {
 public:
  explicit Semaphore(std::ptrdiff_t count) : count_(count) {}

  void acquire() {
    std::unique_lock lock(mutex_);
    Await(&released_, &lock, [this] { return count_ > 0; });
    --count_;
  }
  void release() {
    const std::lock_guard lock(mutex_);
    ++count_;
    released_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable released_;
  std::ptrdiff_t count_;
};

}  // namespace zarr
