// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace zarr {

// Writes that bypass the processor's caches, for destinations that are larger than the caches. The memory is then not
// read before it is overwritten, which saves half of the traffic. Other threads see the bytes after StreamFence. On
// processors without such instructions, these are memcpy and memset.

/// Copies between memory regions that do not overlap.
void StreamCopy(std::byte* destination, const std::byte* source, std::size_t size);
void StreamFill(std::byte* destination, std::byte value, std::size_t size);
/// Must be called by a thread that has written, before it notifies another thread.
void StreamFence();

}  // namespace zarr
