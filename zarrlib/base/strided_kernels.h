// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace zarr {

/// One loop of a copy: the number of elements, and the strides in bytes on both sides.
struct CopyAxis {
  std::size_t length = 1;
  std::ptrdiff_t source = 0;
  std::ptrdiff_t destination = 0;
};

/// The two innermost loops of a copy. `column` is the fastest axis of the destination.
struct CopyPlane {
  CopyAxis row;
  CopyAxis column;
  /// True if `row` is the fastest axis of the source: the plane is then copied in tiles that fit into the fastest
  /// cache.
  bool transposed = false;
};

/// Copies a plane of items of `item_size` bytes.
using PlaneKernel = void (*)(const CopyPlane& plane, std::size_t item_size, const std::byte* source,
                             std::byte* destination);

PlaneKernel SelectPlaneKernel(bool transposed, std::size_t item_size);

}  // namespace zarr
