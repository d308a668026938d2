// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "zarrlib/base/bytes.h"
#include "zarrlib/base/error.h"

namespace zarr {

/// Returns a number whose lowest `count` bits are set; `count` is at most 64.
inline std::uint64_t MakeBitMask(unsigned count) {
  return count == 0 ? 0 : std::numeric_limits<std::uint64_t>::max() >> (64 - count);
}

/// Reads the bits of a pco file, the lowest bit of a byte first. Throws Error(corrupt) at the end of the bytes.
class PcoBits {
 public:
  explicit PcoBits(ByteSpan bytes) : bytes_(bytes) {}

  /// Reads a number of at most 64 bits.
  std::uint64_t Read(unsigned count) {
    if (count > left()) throw Error(ErrorKind::kCorrupt, "the file ends too early");
    const std::uint64_t value = Peek() & MakeBitMask(count);
    position_ += count;
    return value;
  }
  /// Moves to the next byte. The bits in between must be 0.
  void Align() {
    if (Read(static_cast<unsigned>((8 - position_ % 8) % 8)) != 0) {
      throw Error(ErrorKind::kCorrupt, "expected bits of 0 before the next byte");
    }
  }
  /// Reads `count` bytes, starting at a byte boundary.
  ByteSpan TakeBytes(std::uint64_t count) {
    if (count > left() / 8) throw Error(ErrorKind::kCorrupt, "the file ends too early");
    const ByteSpan bytes = bytes_.subspan(static_cast<std::size_t>(position_ / 8), static_cast<std::size_t>(count));
    position_ += 8 * count;
    return bytes;
  }
  /// Throws Error(corrupt) unless there are `count` numbers of `bits` bits. Call this before allocating memory for
  /// them.
  void Expect(std::uint64_t count, unsigned bits) const {
    if (bits != 0 && count > left() / bits) throw Error(ErrorKind::kCorrupt, "the file ends too early");
  }

  std::uint64_t left() const { return 8 * std::uint64_t{bytes_.size()} - position_; }

 private:
  /// Returns the next 64 bits; bits past the end are 0.
  std::uint64_t Peek() const {
    const auto byte = static_cast<std::size_t>(position_ / 8);
    const auto shift = static_cast<unsigned>(position_ % 8);
    if (bytes_.size() - byte < sizeof(std::uint64_t) + 1) return PeekAtEnd(byte, shift);
    const auto low = LoadLittleEndian<std::uint64_t>(bytes_.data() + byte);
    const auto high = std::to_integer<std::uint64_t>(bytes_[byte + sizeof(low)]);
    return shift == 0 ? low : (low >> shift) | (high << (64 - shift));
  }
  std::uint64_t PeekAtEnd(std::size_t byte, unsigned shift) const {
    std::byte padded[sizeof(std::uint64_t) + 1] = {};
    std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(byte), bytes_.end(), padded);
    const auto low = LoadLittleEndian<std::uint64_t>(padded);
    const auto high = std::to_integer<std::uint64_t>(padded[sizeof(low)]);
    return shift == 0 ? low : (low >> shift) | (high << (64 - shift));
  }

  ByteSpan bytes_;
  std::uint64_t position_ = 0;  // in bits
};

}  // namespace zarr
