// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "zarrlib/array/array.h"

namespace zarr {

/// Counts the elements of a box of the array that are in a stored chunk or, in shards, in a stored inner chunk; the
/// others hold the fill value. Reads the indices of shards and no values; lists the store where that is faster than to
/// ask for each chunk. Thread-safe.
///
/// Throws Error: limit_exceeded for a box of very many chunks in a store that cannot be listed; the errors of the store
/// and of reading a shard's index.
std::uint64_t CountStoredElements(const Array& array, const Box& box);

}  // namespace zarr
