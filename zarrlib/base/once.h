// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <mutex>

namespace zarr {

/// Runs an action once. Threads that ask for it meanwhile wait. If the action throws, the error goes to the thread that
/// ran it, and the next one tries again. `std::call_once` promises the same, but with some C libraries, and under the
/// sanitizer of threads, no call returns after an exception.
class Once {
 public:
  template <typename Action>
  void Run(const Action& action) {
    if (done_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (done_.load(std::memory_order_relaxed)) return;
    action();
    done_.store(true, std::memory_order_release);
  }

 private:
  std::mutex mutex_;
  std::atomic<bool> done_{false};
};

}  // namespace zarr
