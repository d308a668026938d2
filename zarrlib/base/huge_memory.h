// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace zarr {

// Memory for many long-lived buffers, in pages of 2 MiB where Linux has them. With pages of 4 KiB, a virtual machine
// spends a good part of a chunk's decoding time just getting the memory. Buffers of more than 4 MiB, and all buffers on
// other systems, are on the heap.

/// Returns uninitialised memory aligned to a cache line. Throws std::bad_alloc. Thread-safe.
void* AllocateHuge(std::size_t size);
/// Returns a buffer to the system, except for the small pages that it shares with other buffers. Thread-safe.
void FreeHuge(void* memory, std::size_t size) noexcept;

}  // namespace zarr
