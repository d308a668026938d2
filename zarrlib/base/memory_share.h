#pragma once

#include <cstdint>
#include <utility>

namespace zarr {

/// A share of the memory that large pieces of work may take together, in the whole process (kMaxSharedMemory): it is
/// had while this object lives. Making one waits until there is room, or until nobody else has a share: what is larger
/// than all there is gets its turn alone. A thread that has a share already does not wait for another one, so that work
/// within work comes to an end; hence a share is given up by the thread that took it. In a child of a fork all
/// memory is free again but for the shares of the thread that forked.
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

  /// What all shares of the process have now.
  static std::uint64_t Taken();

 private:
  std::uint64_t bytes_ = 0;
};

}  // namespace zarr
