// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace zarr {

/// Whether InterleaveRow works in registers for so many bands of items of that size. It needs a processor that shuffles
/// bytes.
bool CanInterleave(std::size_t item_size, std::size_t bands);

/// Makes `count` pixels of `bands` items each. In the source, the items of a band are neighbours, and bands are
/// `band_stride` bytes apart. This is the reverse of calling GatherRow for each band.
void InterleaveRow(std::size_t item_size, std::size_t bands, std::ptrdiff_t band_stride, std::size_t count,
                   const std::byte* source, std::byte* destination);

}  // namespace zarr
