// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace zarr {

// Memory for many buffers that are kept, in pages of 2 MiB where Linux has them. With pages of 4 KiB, a virtual machine
// needs a good part of the time of decoding a chunk just to get its memory. Buffers of more than 4 MiB, and those on
// other systems, are on the heap.

/// Returns uninitialised memory that begins at a cache line. Throws std::bad_alloc. Thread-safe.
void* AllocateHuge(std::size_t size);
/// Gives a buffer back to the system, except for the small pages that it shares with other buffers. Thread-safe.
void FreeHuge(void* memory, std::size_t size) noexcept;

}  // namespace zarr
