#pragma once

#include <cstddef>

namespace zarr {

// Memory for many buffers that are kept, in pages of 2 MiB where Linux gives such. In pages of 4 KiB, a virtual machine
// takes for the memory of a chunk a good part of the time that decoding it takes. For buffers of more than 4 MiB, and
// elsewhere, it is the heap's.

/// Uninitialised, begins at a cache line. Throws std::bad_alloc. Thread-safe.
void* AllocateHuge(std::size_t size);
/// Gives it back to the system, all but the small pages that other buffers share. Thread-safe.
void FreeHuge(void* memory, std::size_t size) noexcept;

}  // namespace zarr
