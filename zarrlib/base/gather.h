// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace zarr {

/// Whether GatherRow can take every `stride`-th item of that size, for instance one band of interleaved pixels. It
/// needs a processor that shuffles bytes.
bool CanGather(std::size_t item_size, std::size_t stride);

/// Copies `count` items that are `stride` items apart to neighbouring places. Reads nothing behind the last item.
void GatherRow(std::size_t item_size, std::size_t stride, std::size_t count, const std::byte* source,
               std::byte* destination);

}  // namespace zarr
