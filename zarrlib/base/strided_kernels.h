#pragma once

#include <cstddef>

namespace zarr {

/// One loop of a copy: how many elements, and the bytes between neighbours on both sides.
struct CopyAxis {
  std::size_t length = 1;
  std::ptrdiff_t source = 0;
  std::ptrdiff_t destination = 0;
};

/// The two innermost loops of a copy. `column` is the destination's fastest axis.
struct CopyPlane {
  CopyAxis row;
  CopyAxis column;
  /// Whether the source's fastest axis is `row`: then the copy goes by tiles that fit the fastest cache.
  bool transposed = false;
};

/// Copies a plane of items of `item_size` bytes.
using PlaneKernel = void (*)(const CopyPlane& plane, std::size_t item_size, const std::byte* source,
                             std::byte* destination);

/// The kernel for items of that size.
PlaneKernel SelectPlaneKernel(bool transposed, std::size_t item_size);

}  // namespace zarr
