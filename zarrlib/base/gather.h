// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace zarr {

/// Returns true if GatherRow can gather every `stride`-th item of that size, such as one band of interleaved pixels.
/// Requires a processor that shuffles bytes.
bool CanGather(std::size_t item_size, std::size_t stride);

/// Copies `count` items that are `stride` items apart to consecutive items. Does not read past the last item.
void GatherRow(std::size_t item_size, std::size_t stride, std::size_t count, const std::byte* source,
               std::byte* destination);

}  // namespace zarr
