// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "zarrlib/array/array.h"

namespace zarr {

/// Calls `use` with the grid indices of the stored chunks in `chunks`, a box of the grid (it counts chunks, not
/// elements). For a small box, `use` gets all its indices, stored or not. For a large box, the store is listed, so that
/// the time depends on the number of stored chunks and not on the grid.
///
/// Throws Error(limit_exceeded), before the first call of `use`, for a large box in a store that cannot list; throws
/// the errors of the store and of `use`.
void ForEachStoredChunk(const Array& array, const Box& chunks, const std::function<void(const Shape&)>& use);

/// Like ForEachStoredChunk, but `use` only gets stored chunks: the chunks of a small box are looked up one by one, or
/// found by one list in a remote store.
void ForEachExistingChunk(const Array& array, const Box& chunks, const std::function<void(const Shape&)>& use);

/// Throws the Error(limit_exceeded) that ForEachStoredChunk would throw.
void CheckChunksCanBeFound(const Array& array, const Box& chunks);

}  // namespace zarr
