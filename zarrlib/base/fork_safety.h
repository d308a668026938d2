// SPDX-License-Identifier: MIT
#pragma once

#include <mutex>

namespace zarr {

/// Locks a mutex whenever the process forks. The child has only the forking thread, so a mutex that another thread held
/// would stay locked there forever. For mutexes of the whole process that are never destroyed. A thread that holds two
/// of them must take them in the order in which they were registered here. Thread-safe.
void HoldWhileForking(std::mutex* mutex);

/// The mutex of an object of which there may be many, and which the child of a fork may use. It is locked too whenever
/// the process forks. Several objects may share one mutex: it is held only for moments, and its holder takes no other
/// one.
class ForkSafeMutex {
 public:
  ForkSafeMutex();
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;

  // Named as the standard library's locks need them.
  void lock() { mutex_.lock(); }      // NOLINT(readability-identifier-naming)
  void unlock() { mutex_.unlock(); }  // NOLINT(readability-identifier-naming)

 private:
  std::mutex& mutex_;
};

}  // namespace zarr
