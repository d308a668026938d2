// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "zarrlib/base/huge_memory.h"

namespace zarr {

using ByteSpan = std::span<const std::byte>;
using MutableByteSpan = std::span<std::byte>;

/// Allocates memory aligned to a cache line. The alignment is done by hand, because the C library often cannot reuse
/// memory freed from its own aligned allocations for another allocation of the same size: a full cache that replaced
/// its entries then used twice its size.
inline void* AllocateAligned(std::size_t size) {
  constexpr std::size_t kAlignment = 64;
  if (size > SIZE_MAX - kAlignment) throw std::bad_alloc();
  auto* const whole = static_cast<std::byte*>(::operator new(size + kAlignment));
  // `whole` is aligned to at least 16 bytes, so its address fits in front of the line.
  void* const line = whole + (kAlignment - reinterpret_cast<std::uintptr_t>(whole) % kAlignment);
  static_cast<void**>(line)[-1] = whole;
  return line;
}
inline void FreeAligned(void* line) noexcept {
  ::operator delete(static_cast<void**>(line)[-1]);
}

/// Where an allocator gets its memory; see huge_memory.h.
enum class MemoryKind : std::uint8_t { kHeap, kHuge };

/// Allocator that does not initialise memory when a vector grows, and aligns it to a cache line. A moved container
/// keeps its allocator; a copy is on the heap.
template <typename T>
struct UninitializedAllocator {
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;  // NOLINT(readability-identifier-naming)
  using propagate_on_container_swap = std::true_type;             // NOLINT(readability-identifier-naming)

  UninitializedAllocator() = default;
  explicit UninitializedAllocator(MemoryKind kind) : memory(kind) {}
  template <typename U>
  UninitializedAllocator(const UninitializedAllocator<U>& other) : memory(other.memory) {}
  UninitializedAllocator select_on_container_copy_construction() const { return {}; }

  T* allocate(std::size_t n) {
    if (n > SIZE_MAX / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t size = n * sizeof(T);
    return static_cast<T*>(memory == MemoryKind::kHuge ? AllocateHuge(size) : AllocateAligned(size));
  }
  void deallocate(T* p, std::size_t n) { memory == MemoryKind::kHuge ? FreeHuge(p, n * sizeof(T)) : FreeAligned(p); }
  template <typename U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <typename U, typename... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(std::forward<Args>(args)...);
  }
  friend bool operator==(const UninitializedAllocator&, const UninitializedAllocator&) = default;

  MemoryKind memory = MemoryKind::kHeap;
};

/// Owned bytes. Growing does not zero them.
using Bytes = std::vector<std::byte, UninitializedAllocator<std::byte>>;

/// A range of `length` bytes of a value, starting at `offset`.
struct ByteRange {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

inline ByteSpan AsBytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline std::string_view AsText(ByteSpan bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

inline Bytes ToBytes(std::string_view text) {
  const ByteSpan bytes = AsBytes(text);
  return Bytes(bytes.begin(), bytes.end());
}

/// Converts a number between native and little-endian byte order.
template <typename T>
T ToOrFromLittleEndian(T value) {
  if constexpr (std::endian::native == std::endian::little || sizeof(T) == 1) {
    return value;
  } else {
    std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &value, sizeof(T));
    std::reverse(bytes.begin(), bytes.end());
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
}

/// Loads a T stored at `p` in little-endian byte order.
template <typename T>
T LoadLittleEndian(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return ToOrFromLittleEndian(value);
}

template <typename T>
void WriteLittleEndian(std::byte* p, T value) {
  value = ToOrFromLittleEndian(value);
  std::memcpy(p, &value, sizeof(T));
}

/// Loads a little-endian number of `size` bytes, 8 at most.
inline std::uint64_t LoadLittleEndianBits(const std::byte* p, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, p, size);
  return ToOrFromLittleEndian(bits);
}

/// Where the lowest `size` bytes of a 64-bit number are in memory.
inline std::size_t GetLowBytes(std::size_t size) {
  return std::endian::native == std::endian::little ? 0 : sizeof(std::uint64_t) - size;
}

/// Loads a number of `size` bytes, 8 at most, in native byte order.
inline std::uint64_t LoadBits(const std::byte* p, std::size_t size) {
  std::uint64_t bits = 0;
  std::memcpy(reinterpret_cast<std::byte*>(&bits) + GetLowBytes(size), p, size);
  return bits;
}

/// Writes the lowest `size` bytes of a number, 8 at most, in native byte order.
inline void WriteBits(std::byte* p, std::size_t size, std::uint64_t bits) {
  std::memcpy(p, reinterpret_cast<const std::byte*>(&bits) + GetLowBytes(size), size);
}

}  // namespace zarr
