// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "zarrlib/base/await.h"

namespace zarr {

/// Runs an action once. Other threads that call Run in the meantime wait, including while the action reads from a
/// store, but no lock is held while it runs. If the action throws, the error goes to the thread that ran it, and the
/// next thread tries again.
///
/// An action must not wait for a thread that runs the same action: tasks of its own that run on other threads may only
/// run actions of lower layers. A call from within the action, such as from a callback, returns at once, with the work
/// half done.
///
/// `std::call_once` makes the same promise for errors, but with some C libraries, and under ThreadSanitizer, calls
/// never return after an exception.
class Once {
 public:
  template <typename Action>
  void Run(const Action& action) {
    if (done_.load(std::memory_order_acquire) || !Begin()) return;
    try {
      action();
    } catch (...) {
      End(false);
      throw;
    }
    End(true);
  }

 private:
  /// Waits for another thread that runs the action. Returns true if this thread must run it.
  bool Begin() {
    std::unique_lock lock(mutex_);
    if (runner_ == std::this_thread::get_id()) return false;
    Await(&ended_, &lock, [this] { return runner_ == std::thread::id(); });
    if (done_.load(std::memory_order_relaxed)) return false;
    runner_ = std::this_thread::get_id();
    return true;
  }

  void End(bool done) {
    const std::lock_guard lock(mutex_);
    runner_ = std::thread::id();
    done_.store(done, std::memory_order_release);
    ended_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread::id runner_;  // empty while no thread runs the action
  std::atomic<bool> done_{false};
};

}  // namespace zarr
