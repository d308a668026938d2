// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "zarrlib/hierarchy/editable_hierarchy.h"

namespace zarr {

/// Returns the new shape of the array `present`, as stored, for a caller that knows it with the shape `known` and wants
/// the shape `wanted`. If an axis has become longer in the store, it does not become shorter than it is now: a longer
/// axis gets the larger length. Throws Error(invalid_argument) for a shorter axis if elements would be lost that the
/// caller does not know of; a length that the axis already has is not a loss. All shapes have the same rank.
Shape ResolveShape(const Array& present, const Shape& known, const Shape& wanted);

/// Gives an array another shape of the same rank (see ResolveShape), and returns the new array. Its writers must have
/// been flushed. The array is locked during the call. A longer axis of a regular grid gets chunks of the same length;
/// an axis of a rectilinear grid gets one more chunk for the missing length, if its chunks end before the new end.
/// Stored chunks are not rewritten for that.
///
/// Along a shorter axis, chunks past the new end are removed, and elements past it in the last chunk get the fill
/// value: they do not come back if the array grows again. First the metadata change, then elements get the fill value,
/// then chunks are removed. An interruption therefore leaves the old array, or the new one with elements that become
/// visible only if it grows again. Throws Error: invalid_argument for another rank, and the errors of the store.
std::shared_ptr<const Array> ResizeArray(EditableHierarchy& hierarchy, const std::shared_ptr<const Array>& array,
                                         const Shape& shape);

struct ArrayResize {
  std::shared_ptr<const Array> array;
  Shape shape;
};

/// Resizes several arrays that share dimensions. Arrays of fewer dimensions, such as coordinates, grow before the
/// others and shrink after them; so do, among arrays of the same rank, those earlier in the list. An interruption
/// therefore does not leave elements without coordinates. Arrays that keep their shapes may be included.
///
/// Nothing is removed before all arrays have their new shapes. If one array cannot be resized, all get their old shapes
/// back and keep all their elements; the Error names the arrays for which that also fails. If only the removal of
/// elements fails, the Error says so.
///
/// `resized`, which may be empty, is called with each new array that has got a shape, including its old shape. Returns
/// false without changes if the shape of one of the arrays has changed since it was opened.
[[nodiscard]] bool ResizeArrays(EditableHierarchy& hierarchy, const std::vector<ArrayResize>& arrays,
                                const std::function<void(const std::shared_ptr<const Array>&)>& resized = {});

/// Throws the errors of a resize that can be detected before any change: invalid_argument; for an array that becomes
/// shorter, the error of `array.unsupported()`, and limit_exceeded if the chunks to be removed cannot be found in
/// reasonable time.
void CheckResize(const Array& array, const Shape& shape);

/// Returns the grid with the chunks of `grid` for an array of that shape.
ChunkGrid MakeResizedGrid(const ChunkGrid& grid, const Shape& shape);

}  // namespace zarr
