#pragma once

#include <memory>

#include "zarrlib/array/hierarchy.h"

namespace zarr {

/// Gives an array another shape of the same rank and returns it anew; its writers must have been flushed. Along an axis
/// of a regular grid chunks of the same length are added; along one of a rectilinear grid that ends before the new end,
/// one chunk of what is missing. Nothing that is stored is written again for that.
///
/// Where the array becomes shorter, chunks beyond its new end are removed, and the elements beyond it in the last one
/// get the fill value: if it grows again, they do not come back. Throws Error: invalid_argument for another rank, and
/// what the store throws. The elements get the fill value first, then the metadata change, then chunks are removed: an
/// interruption leaves an array that can be read, with at worst chunks that nobody looks for until it grows again.
std::shared_ptr<const Array> ResizeArray(Hierarchy& hierarchy, const std::shared_ptr<const Array>& array,
                                         const Shape& shape);

/// Throws what of the above can be known before anything is changed: invalid_argument, and for an array that becomes
/// shorter also what `array.unsupported()` holds.
void CheckResize(const Array& array, const Shape& shape);

/// The grid of `grid`'s chunks for an array of that shape.
ChunkGrid ResizedGrid(const ChunkGrid& grid, const Shape& shape);

}  // namespace zarr
