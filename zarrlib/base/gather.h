#pragma once

#include <cstddef>

namespace zarr {

/// Whether GatherRow takes every `stride`-th item of that size: some bands of interleaved pixels, for instance, on a
/// processor that shuffles bytes.
bool CanGather(std::size_t item_size, std::size_t stride);

/// Copies `count` items that are `stride` items apart to where they are neighbours. Reads nothing beyond the last one.
void GatherRow(std::size_t item_size, std::size_t stride, std::size_t count, const std::byte* source,
               std::byte* destination);

}  // namespace zarr
