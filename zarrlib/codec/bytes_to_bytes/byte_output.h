// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// Writes decoded bytes to a buffer, starting at its beginning. The functions return false, and do not write, if the
/// buffer is too small.
class ByteOutput {
 public:
  explicit ByteOutput(MutableByteSpan buffer) : buffer_(buffer) {}

  std::size_t size() const { return size_; }

  bool Append(ByteSpan bytes) {
    if (bytes.size() > buffer_.size() - size_) return false;
    std::copy(bytes.begin(), bytes.end(), buffer_.data() + size_);
    size_ += bytes.size();
    return true;
  }
  bool AppendRun(std::byte byte, std::size_t count) {
    if (count > buffer_.size() - size_) return false;
    std::fill_n(buffer_.data() + size_, count, byte);
    size_ += count;
    return true;
  }
  /// Appends a copy of the bytes at `position`, which must be before the end. The copy may overlap itself.
  bool AppendCopy(std::size_t position, std::size_t count) {
    if (count > buffer_.size() - size_) return false;
    for (; count > 0; --count) buffer_[size_++] = buffer_[position++];
    return true;
  }

 private:
  MutableByteSpan buffer_;
  std::size_t size_ = 0;
};

}  // namespace zarr
