#pragma once

#include <functional>

#include "zarrlib/array/array.h"

namespace zarr {

/// Calls `use` with the grid indices of the stored chunks that are in a box of the grid (chunks, not elements). In a
/// small box it is called with all indices, stored or not; in a larger one the store is listed, so that the time
/// depends on what is stored and not on the grid.
///
/// Throws Error(limit_exceeded), before `use` is called, for a larger one in a store that cannot list; what the store
/// and `use` throw.
void ForEachStoredChunk(const Array& array, const Box& chunks, const std::function<void(const Shape&)>& use);

/// Whether that would throw Error(limit_exceeded): throws it.
void CheckChunksCanBeFound(const Array& array, const Box& chunks);

}  // namespace zarr
