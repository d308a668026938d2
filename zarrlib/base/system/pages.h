// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "zarrlib/base/system/which_system.h"

/// Memory in huge pages, where the system has them. Thread-safe.
namespace zarr {

#ifdef ZARR_LINUX
inline constexpr bool kHasHugePages = true;
#else
inline constexpr bool kHasHugePages = false;  ///< The functions below must not be called.
#endif

/// Returns new memory, zeroed, of `size` bytes at a multiple of `size`, a power of two. Throws std::bad_alloc.
std::byte* MapHugePages(std::size_t size);
void UnmapHugePages(std::byte* memory, std::size_t size);
/// Gives back to the system the pages that are completely inside a range. They can be used again, zeroed.
void DropPagesInside(std::byte* memory, std::size_t size);

}  // namespace zarr
