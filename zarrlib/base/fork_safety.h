#pragma once

#include <mutex>

namespace zarr {

/// Holds a mutex whenever the process forks. The child has the forking thread alone: a mutex that another thread held
/// would stay locked there for good. For those of the whole process, of which no thread holds two at once, unless it
/// takes them in the order in which they were given here; they are never destroyed. Thread-safe.
void HoldWhileForking(std::mutex* mutex);

/// The mutex of an object of which there may be many, and which a child of a fork goes on using: it is held too
/// whenever the process forks. Objects may have one in common: it is held for moments, and who holds one takes no
/// other.
class ForkSafeMutex {
 public:
  ForkSafeMutex();
  ForkSafeMutex(const ForkSafeMutex&) = delete;
  ForkSafeMutex& operator=(const ForkSafeMutex&) = delete;

  // As the standard library's locks want them.
  void lock() { mutex_.lock(); }      // NOLINT(readability-identifier-naming)
  void unlock() { mutex_.unlock(); }  // NOLINT(readability-identifier-naming)

 private:
  std::mutex& mutex_;
};

}  // namespace zarr
