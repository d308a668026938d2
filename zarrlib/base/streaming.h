#pragma once

#include <cstddef>

namespace zarr {

// Writing past the processor's caches, for destinations of more than these hold: memory that is to be overwritten is
// then not read first, which is half of the traffic. What was written is seen by other threads after StreamFence.
// Where the processor has no such instructions, they are memcpy and memset.

/// Copies; the two must not overlap.
void StreamCopy(std::byte* destination, const std::byte* source, std::size_t size);
void StreamFill(std::byte* destination, std::byte value, std::size_t size);
/// To be called by the thread that has written, before it tells another one that it has.
void StreamFence();

}  // namespace zarr
