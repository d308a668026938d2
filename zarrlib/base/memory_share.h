// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>

namespace zarr {

/// Reserves part of the memory that large pieces of work may use together in the whole process (Limit::kSharedMemory),
/// for its lifetime. The constructor blocks until enough is free. A share above the whole limit waits until there are
/// no other shares.
///
/// A thread that already holds a share never blocks, so nested work cannot deadlock; a share must therefore be released
/// by the thread that created it. In a forked child all memory is free, except for the shares of the forking thread.
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

  /// Returns the total size of all current shares of the process, in bytes.
  static std::uint64_t GetTaken();

 private:
  std::uint64_t bytes_ = 0;
};

}  // namespace zarr
