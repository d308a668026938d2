// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <semaphore>

namespace zarr {

namespace portable {

/// A semaphore that is made of what all libraries of C++ do well. Thread-safe.
class Semaphore {
 public:
  explicit Semaphore(std::ptrdiff_t count) : count_(count) {}

  void acquire() {
    std::unique_lock lock(mutex_);
    released_.wait(lock, [this] { return count_ > 0; });
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

}  // namespace portable

// Where the system cannot wait for a value in memory, threads that wait for GCC 12's semaphore may wait for ever.
#if defined(__GLIBCXX__) && !defined(__linux__)
using Semaphore = portable::Semaphore;
#else
using Semaphore = std::counting_semaphore<>;
#endif

}  // namespace zarr
