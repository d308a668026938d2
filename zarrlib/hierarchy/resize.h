#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "zarrlib/hierarchy/hierarchy.h"

namespace zarr {

/// Gives an array another shape of the same rank and returns it anew; its writers must have been flushed. Along an axis
/// of a regular grid chunks of the same length are added; along one of a rectilinear grid that ends before the new end,
/// one chunk of what is missing. Nothing that is stored is written again for that.
///
/// Where the array becomes shorter, chunks beyond its new end are removed, and the elements beyond it in the last one
/// get the fill value: if it grows again, they do not come back. Throws Error: invalid_argument for another rank, and
/// what the store throws. The metadata change first, then elements get the fill value, then chunks are removed: an
/// interruption leaves the old array, or the new one with at worst elements that nobody sees until it grows again.
std::shared_ptr<const Array> ResizeArray(Hierarchy& hierarchy, const std::shared_ptr<const Array>& array,
                                         const Shape& shape);

struct ArrayResize {
  std::shared_ptr<const Array> array;
  Shape shape;
};

/// The same for several arrays, which have dimensions in common. Arrays of fewer dimensions, such as coordinates,
/// become longer before the others and shorter after them, so that an interruption leaves no element without its
/// coordinates; nothing is removed before all have their new shapes. If one cannot get it, all get their old ones back,
/// with all their elements; the Error names those for which that fails too. If only the removal fails, it tells that.
/// `resized`, which may be empty, is given each array anew when it has got a shape, also an old one back.
void ResizeArrays(Hierarchy& hierarchy, const std::vector<ArrayResize>& arrays,
                  const std::function<void(const std::shared_ptr<const Array>&)>& resized = {});

/// Throws what of the above can be known before anything is changed: invalid_argument, and for an array that becomes
/// shorter also what `array.unsupported()` holds, and limit_exceeded where chunks to be removed cannot be found in
/// time.
void CheckResize(const Array& array, const Shape& shape);

/// The grid of `grid`'s chunks for an array of that shape.
ChunkGrid ResizedGrid(const ChunkGrid& grid, const Shape& shape);

}  // namespace zarr
