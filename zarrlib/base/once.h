// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace zarr {

/// Runs an action once. Threads that ask for it meanwhile wait, also for what the action reads from a store, but no
/// lock is held while it runs. An action must not wait for a thread that asks for the same one: tasks of its own that
/// other threads run may ask for actions of lower rooms only. A call that comes from within the action, such as from a
/// callback that it calls, returns at once, with the work half done. If the action throws, the error goes to the thread
/// that ran it, and the next one tries again. `std::call_once` promises the same for errors, but with some C libraries,
/// and under the sanitizer of threads, no call returns after an exception.
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
  /// Waits for another thread that runs the action. Returns whether this thread is to run it.
  bool Begin() {
    std::unique_lock lock(mutex_);
    if (runner_ == std::this_thread::get_id()) return false;
    ended_.wait(lock, [this] { return runner_ == std::thread::id(); });
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
  std::thread::id runner_;  // none while no thread runs the action
  std::atomic<bool> done_{false};
};

}  // namespace zarr
