#pragma once

#include <cstddef>

namespace zarr {

/// Whether InterleaveRow does that many bands of items of that size by registers: on a processor that shuffles bytes.
bool CanInterleave(std::size_t item_size, std::size_t bands);

/// Makes `count` pixels of `bands` items each: those of one band are neighbours in the source, `band_stride` bytes
/// behind those of the band before it. What GatherRow does for each band, the other way round.
void InterleaveRow(std::size_t item_size, std::size_t bands, std::ptrdiff_t band_stride, std::size_t count,
                   const std::byte* source, std::byte* destination);

}  // namespace zarr
