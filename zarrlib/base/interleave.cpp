// SPDX-License-Identifier: MIT
#include "zarrlib/base/interleave.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "zarrlib/base/compiler/instructions.h"

namespace zarr {
namespace {

constexpr std::size_t kMostBands = 4;
/// Register size in bytes.
constexpr std::size_t kWidth = 16;

void InterleaveItems(std::size_t item_size, std::size_t bands, std::ptrdiff_t band_stride, std::size_t count,
                     const std::byte* source, std::byte* destination) {
  for (std::size_t i = 0; i < count; ++i, source += item_size) {
    for (std::size_t band = 0; band < bands; ++band, destination += item_size) {
      std::memcpy(destination, source + static_cast<std::ptrdiff_t>(band) * band_stride, item_size);
    }
  }
}

#ifdef ZARR_X86_64

/// For each result register and each band: the bytes copied from the band's register.
template <std::size_t kBands>
using Masks = std::array<std::array<std::array<std::uint8_t, kWidth>, kBands>, kBands>;

template <std::size_t kSize, std::size_t kBands>
constexpr Masks<kBands> MakeMasks() {
  constexpr std::uint8_t kNone = 0x80;
  Masks<kBands> masks{};
  for (auto& result : masks) {
    for (auto& mask : result) mask.fill(kNone);
  }
  for (std::size_t to = 0; to < kBands * kWidth; ++to) {
    const std::size_t item = to / kSize;
    const std::size_t from = item / kBands * kSize + to % kSize;
    masks[to / kWidth][item % kBands][to % kWidth] = static_cast<std::uint8_t>(from);
  }
  return masks;
}

/// Interleaves the pixels of one register per band.
template <std::size_t kSize, std::size_t kBands>
ZARR_USES("ssse3")
void InterleaveRegisters(std::ptrdiff_t band_stride, const std::byte* source, std::byte* destination) {
  static constexpr Masks<kBands> kMasks = MakeMasks<kSize, kBands>();
  for (std::size_t result = 0; result < kBands; ++result) {
    __m128i pixels = _mm_setzero_si128();
    for (std::size_t band = 0; band < kBands; ++band) {
      const auto* const items =
          reinterpret_cast<const __m128i*>(source + static_cast<std::ptrdiff_t>(band) * band_stride);
      const __m128i mask = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kMasks[result][band].data()));
      pixels = _mm_or_si128(pixels, _mm_shuffle_epi8(_mm_loadu_si128(items), mask));
    }
    _mm_storeu_si128(reinterpret_cast<__m128i*>(destination) + result, pixels);
  }
}

/// Interleaves all pixels; each band has at least one register of them. If the count is not a multiple of a register,
/// the last pixels are done twice.
template <std::size_t kSize, std::size_t kBands>
ZARR_USES("ssse3")
void InterleaveFast(std::ptrdiff_t band_stride, std::size_t count, const std::byte* source, std::byte* destination) {
  constexpr std::size_t kGroup = kWidth / kSize;
  const std::size_t last = count - kGroup;
  for (std::size_t done = 0; done < last; done += kGroup) {
    InterleaveRegisters<kSize, kBands>(band_stride, source + done * kSize, destination + done * kBands * kSize);
  }
  InterleaveRegisters<kSize, kBands>(band_stride, source + last * kSize, destination + last * kBands * kSize);
}

template <std::size_t kSize>
void InterleaveFast(std::size_t bands, std::ptrdiff_t band_stride, std::size_t count, const std::byte* source,
                    std::byte* destination) {
  if (bands == 2) return InterleaveFast<kSize, 2>(band_stride, count, source, destination);
  if (bands == 3) return InterleaveFast<kSize, 3>(band_stride, count, source, destination);
  return InterleaveFast<kSize, 4>(band_stride, count, source, destination);
}

#endif

}  // namespace

bool CanInterleave(std::size_t item_size, std::size_t bands) {
#ifdef ZARR_X86_64
  static const bool shuffles = HasInstructions(Instructions::kSsse3);
  return shuffles && (item_size == 1 || item_size == 2 || item_size == 4) && bands >= 2 && bands <= kMostBands;
#else
  static_cast<void>(item_size);
  static_cast<void>(bands);
  return false;
#endif
}

void InterleaveRow(std::size_t item_size, std::size_t bands, std::ptrdiff_t band_stride, std::size_t count,
                   const std::byte* source, std::byte* destination) {
#ifdef ZARR_X86_64
  if (count * item_size >= kWidth && CanInterleave(item_size, bands)) {
    if (item_size == 1) return InterleaveFast<1>(bands, band_stride, count, source, destination);
    if (item_size == 2) return InterleaveFast<2>(bands, band_stride, count, source, destination);
    return InterleaveFast<4>(bands, band_stride, count, source, destination);
  }
#endif
  InterleaveItems(item_size, bands, band_stride, count, source, destination);
}

}  // namespace zarr
