// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace zarr {

/// Returns true if InterleaveRow works in registers for this number of bands and item size. Requires a processor that
/// shuffles bytes.
bool CanInterleave(std::size_t item_size, std::size_t bands);

/// Makes `count` pixels of `bands` items each. In the source, the items of a band are adjacent, and bands are
/// `band_stride` bytes apart. The inverse of calling GatherRow for each band.
void InterleaveRow(std::size_t item_size, std::size_t bands, std::ptrdiff_t band_stride, std::size_t count,
                   const std::byte* source, std::byte* destination);

}  // namespace zarr
