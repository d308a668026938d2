#pragma once

#include <memory>

#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace zarr {

/// Gives an array another chunk grid for the same shape, and returns it anew. What is stored is written again, one of
/// the new chunks after the other, to an array beside it, which then takes its place: not in one step, so that this is
/// for arrays that nobody else uses yet. The array's writers must have been flushed. Throws Error: invalid_argument for
/// the array that is the store's root, and what the store throws.
std::shared_ptr<const Array> RechunkArray(Hierarchy& hierarchy, const std::shared_ptr<const Array>& array,
                                          const ChunkGrid& grid, const WriterOptions& options = {});

}  // namespace zarr
