// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>

namespace zarr {

/// Counts the bytes of pending chunks, for one writer and for the whole process. Thread-safe.
class PendingBytes {
 public:
  PendingBytes() = default;
  ~PendingBytes() { *this -= own_.load(); }
  PendingBytes(const PendingBytes&) = delete;
  PendingBytes& operator=(const PendingBytes&) = delete;

  PendingBytes& operator+=(std::size_t bytes) {
    own_ += bytes;
    all_ += bytes;
    return *this;
  }
  PendingBytes& operator-=(std::size_t bytes) { return *this += std::size_t{0} - bytes; }
  std::size_t load() const { return own_.load(); }
  /// Returns the pending bytes of all writers of the process.
  static std::size_t GetProcessTotal() { return all_.load(); }

 private:
  std::atomic<std::size_t> own_{0};
  static inline std::atomic<std::size_t> all_{0};
};

}  // namespace zarr
