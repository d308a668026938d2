// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>

#include "zarrlib/base/bytes.h"

namespace zarr {

/// Converts adjacent numbers of `size` bytes between native and little-endian byte order. Bytes after the last whole
/// number stay.
inline void ToOrFromLittleEndian(MutableByteSpan numbers, std::size_t size) {
  if (std::endian::native == std::endian::little || size <= 1) return;
  for (; numbers.size() >= size; numbers = numbers.subspan(size)) std::ranges::reverse(numbers.first(size));
}

}  // namespace zarr
