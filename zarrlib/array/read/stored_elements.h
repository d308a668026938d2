// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "zarrlib/array/array.h"

namespace zarr {

/// Counts the elements of a box of the array that are in a stored chunk or, in shards, in a stored inner chunk; all
/// other elements have the fill value. Reads the indices of shards but no values; lists the store if that is faster
/// than looking up each chunk. Thread-safe.
///
/// Throws Error: limit_exceeded for a box of very many chunks in a store that cannot list; the errors of the store and
/// of reading a shard's index.
std::uint64_t CountStoredElements(const Array& array, const Box& box);

}  // namespace zarr
