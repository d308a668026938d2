// SPDX-License-Identifier: MIT
#include "zarrlib/base/compiler/streaming.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define ZARR_STREAMS
#endif

namespace zarr {

#ifdef ZARR_STREAMS
namespace {

/// A line that is not written completely would be read first.
constexpr std::size_t kLine = 64;

/// Returns the number of bytes before the first whole line.
std::size_t GetHeadSize(const std::byte* destination, std::size_t size) {
  const std::size_t into_line = reinterpret_cast<std::uintptr_t>(destination) % kLine;
  return std::min(size, (kLine - into_line) % kLine);
}

void StreamLine(std::byte* line, __m128i a, __m128i b, __m128i c, __m128i d) {
  auto* const parts = reinterpret_cast<__m128i*>(line);
  _mm_stream_si128(parts, a);
  _mm_stream_si128(parts + 1, b);
  _mm_stream_si128(parts + 2, c);
  _mm_stream_si128(parts + 3, d);
}

}  // namespace

void StreamCopy(std::byte* destination, const std::byte* source, std::size_t size) {
  std::size_t done = GetHeadSize(destination, size);
  std::memcpy(destination, source, done);
  for (; size - done >= kLine; done += kLine) {
    const auto* const from = reinterpret_cast<const __m128i*>(source + done);
    StreamLine(destination + done, _mm_loadu_si128(from), _mm_loadu_si128(from + 1), _mm_loadu_si128(from + 2),
               _mm_loadu_si128(from + 3));
  }
  std::memcpy(destination + done, source + done, size - done);
}

void StreamFill(std::byte* destination, std::byte value, std::size_t size) {
  const int byte = std::to_integer<int>(value);
  const __m128i bytes = _mm_set1_epi8(static_cast<char>(byte));
  std::size_t done = GetHeadSize(destination, size);
  std::memset(destination, byte, done);
  for (; size - done >= kLine; done += kLine) StreamLine(destination + done, bytes, bytes, bytes, bytes);
  std::memset(destination + done, byte, size - done);
}

void StreamFence() {
  _mm_sfence();
}

#else

void StreamCopy(std::byte* destination, const std::byte* source, std::size_t size) {
  std::memcpy(destination, source, size);
}

void StreamFill(std::byte* destination, std::byte value, std::size_t size) {
  std::memset(destination, std::to_integer<int>(value), size);
}

void StreamFence() {}

#endif

}  // namespace zarr
