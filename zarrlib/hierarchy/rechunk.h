// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/hierarchy.h"

namespace zarr {

/// Gives an array another chunk grid of the same shape, and returns the new array. Copies the elements, one new chunk
/// after the other, to an array beside it, which then takes its place. This is not one step, so the array must not be
/// in use by others. After an error, the array is as it was, or its copy `<name>.rechunked` is there in its place, if
/// the store does not move arrays in one step. Its writers must have been flushed. Throws Error: invalid_argument for
/// an array that is the store's root, and the errors of the store.
std::shared_ptr<const Array> RechunkArray(Hierarchy& hierarchy, const std::shared_ptr<const Array>& array,
                                          const ChunkGrid& grid, const WriterOptions& options = {});

}  // namespace zarr
