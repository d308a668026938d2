// SPDX-License-Identifier: MIT
#include "zarrlib/base/gather.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "zarrlib/base/compiler/instructions.h"

namespace zarr {
namespace {

constexpr std::size_t kMostStride = 4;
/// Register size in bytes.
constexpr std::size_t kGatherWidth = 16;

void GatherItems(std::size_t item_size, std::size_t stride, std::size_t count, const std::byte* source,
                 std::byte* destination) {
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(destination + i * item_size, source + i * stride * item_size, item_size);
  }
}

#ifdef ZARR_X86_64

/// For each source register that holds items of one result register: the bytes copied from it.
using GatherMasks = std::array<std::array<std::uint8_t, kGatherWidth>, kMostStride>;

constexpr GatherMasks GetMasks(std::size_t item_size, std::size_t stride) {
  constexpr std::uint8_t kNone = 0x80;
  GatherMasks masks{};
  for (auto& mask : masks) mask.fill(kNone);
  for (std::size_t i = 0; i < kGatherWidth; ++i) {
    const std::size_t from = i / item_size * stride * item_size + i % item_size;
    masks[from / kGatherWidth][i] = static_cast<std::uint8_t>(from % kGatherWidth);
  }
  return masks;
}

/// Gathers one result register from the items that begin at `source`. Reads these items and the bytes between each item
/// and the next.
template <std::size_t kSize, std::size_t kStride>
ZARR_USES("ssse3")
void GatherRegister(const std::byte* source, std::byte* destination) {
  static constexpr GatherMasks kMasks = GetMasks(kSize, kStride);
  const auto* const from = reinterpret_cast<const __m128i*>(source);
  __m128i items = _mm_setzero_si128();
  for (std::size_t i = 0; i < kStride; ++i) {
    const __m128i mask = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kMasks[i].data()));
    items = _mm_or_si128(items, _mm_shuffle_epi8(_mm_loadu_si128(from + i), mask));
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(destination), items);
}

/// Returns the number of items done: all but the last ones, past which nothing may be read; 0 if there are only a few.
template <std::size_t kSize, std::size_t kStride>
ZARR_USES("ssse3")
std::size_t GatherRegisters(std::size_t count, const std::byte* source, std::byte* destination) {
  constexpr std::size_t kGroup = kGatherWidth / kSize;
  if (count <= kGroup) return 0;
  const std::size_t last = count - 1 - kGroup;
  for (std::size_t done = 0; done < last; done += kGroup) {
    GatherRegister<kSize, kStride>(source + done * kStride * kSize, destination + done * kSize);
  }
  GatherRegister<kSize, kStride>(source + last * kStride * kSize, destination + last * kSize);
  return count - 1;
}

template <std::size_t kSize>
std::size_t GatherFast(std::size_t stride, std::size_t count, const std::byte* source, std::byte* destination) {
  if (stride == 2) return GatherRegisters<kSize, 2>(count, source, destination);
  if (stride == 3) return GatherRegisters<kSize, 3>(count, source, destination);
  return GatherRegisters<kSize, 4>(count, source, destination);
}

std::size_t GatherFast(std::size_t item_size, std::size_t stride, std::size_t count, const std::byte* source,
                       std::byte* destination) {
  if (item_size == 1) return GatherFast<1>(stride, count, source, destination);
  if (item_size == 2) return GatherFast<2>(stride, count, source, destination);
  return GatherFast<4>(stride, count, source, destination);
}

#endif

}  // namespace

bool CanGather(std::size_t item_size, std::size_t stride) {
#ifdef ZARR_X86_64
  static const bool shuffles = HasInstructions(Instructions::kSsse3);
  return shuffles && (item_size == 1 || item_size == 2 || item_size == 4) && stride >= 2 && stride <= kMostStride;
#else
  static_cast<void>(item_size);
  static_cast<void>(stride);
  return false;
#endif
}

void GatherRow(std::size_t item_size, std::size_t stride, std::size_t count, const std::byte* source,
               std::byte* destination) {
  std::size_t done = 0;
#ifdef ZARR_X86_64
  if (count > 0 && CanGather(item_size, stride)) done = GatherFast(item_size, stride, count, source, destination);
#endif
  GatherItems(item_size, stride, count - done, source + done * stride * item_size, destination + done * item_size);
}

}  // namespace zarr
