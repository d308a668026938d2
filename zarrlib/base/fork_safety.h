// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>

namespace zarr {

/// Locks a mutex whenever the process forks. The child has only the forking thread, so a mutex held by another thread
/// would stay locked there forever. Use it for process-wide mutexes that are never destroyed. A thread that holds two
/// of them must lock them in the order in which they were registered here. Thread-safe.
void HoldWhileForking(std::mutex* mutex);

/// Mutex for objects that may be numerous and that a forked child may use. It is also locked whenever the process
/// forks. Several objects may share one mutex: hold it only briefly, and do not lock another one while holding it.
class ForkSafeMutex {
 public:
  ForkSafeMutex();
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;

  // Named as the standard library's locks require.
  void lock() { mutex_.lock(); }      // NOLINT(readability-identifier-naming)
  void unlock() { mutex_.unlock(); }  // NOLINT(readability-identifier-naming)

 private:
  std::mutex& mutex_;
};

}  // namespace zarr
