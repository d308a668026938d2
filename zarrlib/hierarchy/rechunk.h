// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {

/// Gives an array another chunk grid of the same shape, and returns the new array. Copies the elements, one new chunk
/// after the other, to an array beside it, which then takes its place. The array must not be in use by others. After an
/// error, the array is the old or the new one, and `<name>.rechunked`, if it is there, the other one. If the store does
/// not exchange two folders in one step, and takes no more writes, there may be nothing at the array's own name: then
/// the array is `<name>.rechunked` or `<name>.rechunked.old`. Its writers must have been flushed. Throws Error:
/// invalid_argument for an array that is the store's root, and the errors of the store.
std::shared_ptr<const Array> RechunkArray(EditableHierarchy& hierarchy, const std::shared_ptr<const Array>& array,
                                          const ChunkGrid& grid, const WriterOptions& options = {});

}  // namespace zarr
