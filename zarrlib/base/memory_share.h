// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

namespace zarr {

/// A share of the memory that large pieces of work may take together in the whole process (Limit::kSharedMemory), while
/// this object lives. The constructor waits until there is room; a share that is larger than the whole waits until
/// nobody else has one. A thread that has a share already does not wait for another, so that work inside work comes to
/// an end; so a share must be released by the thread that took it. In the child of a fork all memory is free, except
/// for the shares of the forking thread.
class MemoryShare {
 public:
  MemoryShare() = default;
  explicit MemoryShare(std::uint64_t bytes);
  ~MemoryShare() { Release(); }
  MemoryShare(MemoryShare&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
  MemoryShare& operator=(MemoryShare&& other) noexcept {
    Release();
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }

  explicit operator bool() const { return bytes_ > 0; }
  void Release();

  /// The size of all present shares of the process, in bytes.
  static std::uint64_t GetTaken();

 private:
  std::uint64_t bytes_ = 0;
};

}  // namespace zarr
