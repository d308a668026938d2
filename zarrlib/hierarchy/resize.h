// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {

/// Returns the shape that the array `present`, as it is stored, is to get if a caller who knows it with the shape
/// `known` wants another one. Where it has become longer meanwhile, it does not become shorter than it is now: a longer
/// axis takes the larger length. Throws Error(invalid_argument) for a shorter axis if it would lose elements that the
/// caller does not know; a length that it has already is no loss. All shapes are of one rank.
Shape ResolveShape(const Array& present, const Shape& known, const Shape& wanted);

/// Gives an array another shape of the same rank (see ResolveShape), and returns the new array. Its writers must have
/// been flushed. The array is locked meanwhile. A longer axis of a regular grid gets chunks of the same length; one of
/// a rectilinear grid gets one more chunk for the missing length, if its chunks end before the new end. No stored chunk
/// is written again for that.
///
/// Along a shorter axis, chunks beyond the new end are removed, and the elements beyond it in the last chunk get the
/// fill value: they do not come back if the array grows again. The metadata change first, then elements get the fill
/// value, then chunks are removed; so an interruption leaves the old array, or the new one with elements that can be
/// seen only after it grows again. Throws Error: invalid_argument for another rank, and the errors of the store.
std::shared_ptr<const Array> ResizeArray(EditableHierarchy& hierarchy, const std::shared_ptr<const Array>& array,
                                         const Shape& shape);

struct ArrayResize {
  std::shared_ptr<const Array> array;
  Shape shape;
};

/// Resizes several arrays that share dimensions. Arrays of fewer dimensions, such as coordinates, and of those the ones
/// that come first in the list, become longer before the others and shorter after them, so that an interruption leaves
/// no element without its coordinates. Arrays that are to keep their shapes may be among them. Nothing is
/// removed before all arrays have their new shapes. If one array cannot be resized, all get their old shapes and keep
/// all their elements; the Error names the arrays for which that fails too. If only the removal of elements fails, the
/// Error says so. `resized`, which may be empty, is called with each new array that has got a shape, also with one that
/// has got its old shape back. Returns false, and changes nothing, if one of the arrays has got another shape since it
/// was opened.
[[nodiscard]] bool ResizeArrays(EditableHierarchy& hierarchy, const std::vector<ArrayResize>& arrays,
                                const std::function<void(const std::shared_ptr<const Array>&)>& resized = {});

/// Throws the errors of a resize that can be known before any change: invalid_argument; for an array that becomes
/// shorter, the error of `array.unsupported()`, and limit_exceeded if the chunks to be removed cannot be found in
/// reasonable time.
void CheckResize(const Array& array, const Shape& shape);

/// The grid with the chunks of `grid` for an array of that shape.
ChunkGrid MakeResizedGrid(const ChunkGrid& grid, const Shape& shape);

}  // namespace zarr
