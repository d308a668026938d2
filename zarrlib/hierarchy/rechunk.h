// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "zarrlib/array/array_writer.h"
#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {

/// Gives an array another chunk grid of the same shape, and returns the new array. Copies the elements, one new chunk
/// after the other, to an array next to it, which then replaces it. The array must not be used elsewhere, and its
/// writers must have been flushed.
///
/// After an error, the array is the old or the new one, and `<name>.rechunked`, if it exists, is the other one. If the
/// store cannot exchange two folders atomically and no longer accepts writes, the array's own name may be unused: the
/// array is then `<name>.rechunked` or `<name>.rechunked.old`. Throws Error: invalid_argument for an array that is the
/// store's root, and the errors of the store.
std::shared_ptr<const Array> RechunkArray(EditableHierarchy& hierarchy, const std::shared_ptr<const Array>& array,
                                          const ChunkGrid& grid, const WriterOptions& options = {});

}  // namespace zarr
